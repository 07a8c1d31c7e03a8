/** Chains: each row is one chain of a run, with its progress and its checkpoint. A lease says whose it is. */
import type { ProfileTimes } from '../../engine/profiler.ts';
import {
  array,
  cleanText,
  type Executor,
  execute,
  hasRow,
  inTransaction,
  notify,
  type SQL,
  select,
  selectOne,
  selectValues,
  sql,
} from './database.ts';
import { nextChain, type QueueChoice, type Turn, takeChain, takeTurn } from './run-queue.ts';
import type { Columns, Tables } from './tables.ts';

export type DesiredState = 'run' | 'pause' | 'stop';

export type ChainRow = Columns<
  'experiment_chains',
  | 'experiment_id'
  | 'chain'
  | 'name'
  | 'state'
  | 'desired_state'
  | 'phase'
  | 'iteration'
  | 'iterations'
  | 'saved_warmup'
  | 'saved_samples'
  | 'divergences'
  | 'treedepth_hits'
  | 'draws_per_second'
  | 'warmup_seconds'
  | 'sampling_seconds'
  | 'step_size'
  | 'lease'
  | 'attempts'
  | 'warmed_by'
  | 'error_code'
  | 'error_message'
>;

const columns: SQL = sql`c.experiment_id, c.chain, c.name, c.state, c.desired_state, c.phase, c.iteration, c.iterations,
  c.saved_warmup, c.saved_samples, c.divergences, c.treedepth_hits, c.draws_per_second, c.warmup_seconds,
  c.sampling_seconds, c.step_size, c.lease, c.attempts, c.warmed_by, c.error_code, c.error_message`;

/** Channels of PostgreSQL. A message is only a hint: its receiver reads the rows. */
export const CHAINS_CHANNEL = 'ergodic_chains';
export const CONTROL_CHANNEL = 'ergodic_control';
/**
 * JSON: {id: experiment's short id, what: draws | status | log | message}. With `message` it contains an outside
 * runner's broadcast, {action, data}, which is stored in no row, so a process that is not listening misses it.
 */
export const LIVE_CHANNEL = 'ergodic_live';

export type LiveChange = 'draws' | 'status' | 'log' | 'message';

/** Notifies all watchers of an experiment, once the transaction commits. */
export async function publishLive(db: Executor, shortId: string, what: LiveChange): Promise<void> {
  await notify(db, LIVE_CHANNEL, JSON.stringify({ id: shortId, what }));
}

/** Below what users can set: the chains of a calibration wait until no other chain does. */
const LAST_PRIORITY = -11;

/** Queues `count` chains of `iterations` each (one number, or one per chain) after existing ones; wakes the workers. */
export async function insertChains(
  tx: Executor,
  experimentId: number,
  order: { readonly count: number; readonly iterations: number | readonly number[] },
): Promise<void> {
  const { count, iterations } = order;
  const each = typeof iterations === 'number' ? Array(count).fill(iterations) : iterations;
  await execute(
    tx,
    sql`insert into experiment_chains (experiment_id, chain, name, state, iterations, priority)
        select e.id, last.chain + n, 'chain#' || last.chain + n, 'queued', its, coalesce((e.settings->>'priority')::int,
          case when e.settings->>'algorithm' = 'calibration' then ${LAST_PRIORITY}::int else 0 end)
          from experiments e, unnest(${array(each, 'integer')}) with ordinality as t(its, n),
            (select coalesce(max(chain), 0) as chain from experiment_chains where experiment_id = ${experimentId}) last
          where e.id = ${experimentId}`,
  );
  await wakeWorkers(tx);
}

/**
 * Queues chains that start where the one at `place` has just ended its warmup; if its owner wants it paused or stopped,
 * so are they. Existing chains are unchanged.
 */
export async function insertFollowers(
  tx: Executor,
  { experiment_id: experimentId, chain }: ChainPlace,
  followers: readonly { readonly chain: number; readonly checkpoint: Buffer }[],
): Promise<void> {
  for (const follower of followers) {
    await execute(
      tx,
      sql`insert into experiment_chains (experiment_id, chain, name, state, desired_state, iteration, iterations, checkpoint,
            priority, warmed_by, finished_at)
          select experiment_id, ${follower.chain}, 'chain#' || ${follower.chain}::int, ${desiredRestingState}, desired_state,
            iteration, iterations, ${follower.checkpoint}, priority, chain,
            case when desired_state = 'stop' then now() end
          from experiment_chains where experiment_id = ${experimentId} and chain = ${chain}
          on conflict do nothing`,
    );
  }
  if (followers.length > 0) await wakeWorkers(tx);
}

export async function wakeWorkers(tx: Executor): Promise<void> {
  await notify(tx, CHAINS_CHANNEL, '');
}

/** The chain of an outside runner by its name, made when first seen. Locks it for the transaction. */
export async function ensureOutsideChain(
  tx: Executor,
  experimentId: number,
  name: string,
): Promise<ChainRow> {
  await execute(
    tx,
    sql`insert into experiment_chains (experiment_id, chain, name, state)
        select ${experimentId}, coalesce(max(chain), 0) + 1, ${name}, 'outside' from experiment_chains
          where experiment_id = ${experimentId}
        having not exists (select 1 from experiment_chains where experiment_id = ${experimentId} and name = ${name})`,
  );
  return (await selectOne<ChainRow>(
    tx,
    sql`select ${columns} from experiment_chains c where experiment_id = ${experimentId} and name = ${name} for no key update`,
  )) as ChainRow;
}

export async function listChains(db: Executor, experimentId: number): Promise<ChainRow[]> {
  return select<ChainRow>(
    db,
    sql`select ${columns} from experiment_chains c where experiment_id = ${experimentId} order by chain`,
  );
}

/** Times of the program's profiles, by chain name: a part of the checkpoint, as JSON. Without profiles, no entry. */
export async function listProfiles(
  db: Executor,
  experimentId: number,
): Promise<Map<string, readonly ProfileTimes[]>> {
  const rows = await select<{ name: string; profiles: ProfileTimes[] }>(
    db,
    sql`select name, convert_from(checkpoint, 'UTF8')::json -> 'profiles' as profiles from experiment_chains
        where experiment_id = ${experimentId} and position(convert_to('"profiles":', 'UTF8') in checkpoint) > 0
        order by chain`,
  );
  return new Map(rows.map(({ name, profiles }) => [name, profiles]));
}

/** Locks all chains of an experiment until the transaction ends, so that their states can be judged together. */
export async function lockChains(tx: Executor, experimentId: number): Promise<ChainRow[]> {
  return select<ChainRow>(
    tx,
    sql`select ${columns} from experiment_chains c where experiment_id = ${experimentId} order by chain for no key update`,
  );
}

export interface ClaimedChain extends ChainPlace {
  readonly short_id: string;
  readonly owner_id: number;
  readonly name: string;
  readonly iterations: number;
  readonly checkpoint: Buffer | null;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Seconds that it has sampled so far, without pauses and waits. */
  readonly sampled_seconds: number;
  /** Seconds since it was queued, or since a worker last ran it. */
  readonly waited_seconds: number;
  /** See `run-origins.ts`. */
  readonly trace_parent: string | null;
}

export interface ClaimRequest extends QueueChoice {
  readonly workerId: number;
}

/** Takes the chain whose turn it is, or null. Its experiment is running from now on. */
export function claimChain(db: Executor, request: ClaimRequest): Promise<ClaimedChain | null> {
  return takeChain(db, (most) => claimOnce(db, request, most));
}

async function claimOnce(
  db: Executor,
  request: ClaimRequest,
  most: number,
): Promise<ClaimedChain | null> {
  const { workerId, userChains } = request;
  return inTransaction(db, async (tx) => {
    const claimed = await selectOne<
      Columns<'experiment_chains', 'chain'> & Pick<ClaimedChain, 'waited_seconds'> & Turn
    >(
      tx,
      // A materialized common table is evaluated once. A joined subquery may be evaluated again for each row, and lock
      // another chain each time, depending on the planner's estimate of the table's size.
      sql`with next as materialized (${nextChain(request, most)})
          update experiment_chains c set state = 'running', worker_id = ${workerId}, lease = c.lease + 1,
            attempts = c.attempts + 1, started_at = coalesce(c.started_at, now()), heartbeat_at = now(),
            finished_at = null
          from next
          where c.experiment_id = next.experiment_id and c.chain = next.chain
          returning c.experiment_id, c.chain, c.owner_id, c.person_id, c.parallel_chains, next.waited_seconds`,
    );
    if (claimed === null) return null;
    await takeTurn(tx, claimed, userChains);
    const { experiment_id: id, chain, waited_seconds: waited } = claimed;
    // Objects before experiments, as everywhere: then two transactions that lock both cannot deadlock.
    const begun = await execute(
      tx,
      sql`update objects set status = 'RUN', updated_at = now() where id = ${id} and status <> 'RUN'`,
    );
    await execute(
      tx,
      sql`update experiments set started_at = coalesce(started_at, now()), finished_at = null where id = ${id}`,
    );
    const row = (await selectOne<ClaimedChain>(
      tx,
      sql`select c.experiment_id, o.short_id, o.owner_id, c.chain, c.name, c.lease, c.iteration, c.iterations, c.checkpoint,
            e.settings, (c.warmup_seconds + c.sampling_seconds)::float8 as sampled_seconds,
            ${waited}::float8 as waited_seconds, e.trace_parent
          from experiment_chains c join experiments e on e.id = c.experiment_id join objects o on o.id = c.experiment_id
          where c.experiment_id = ${id} and c.chain = ${chain}`,
    )) as ClaimedChain;
    if (begun > 0) await publishLive(tx, row.short_id, 'status');
    return row;
  });
}

/** The chain that a worker holds, and the lease. */
export interface ChainHold {
  readonly experiment_id: number;
  readonly chain: number;
  readonly lease: number;
}

/**
 * A chain as its holder last committed it. The iteration is checked with the lease: if a standby became the primary
 * without the last commits, going on from the holder's state would leave a gap in the draws.
 */
export interface ChainPlace extends ChainHold {
  readonly iteration: number;
}

const held = (hold: ChainHold) =>
  sql`experiment_id = ${hold.experiment_id} and chain = ${hold.chain} and lease = ${hold.lease} and state = 'running'`;
const heldAt = (place: ChainPlace) => sql`${held(place)} and iteration = ${place.iteration}`;

/** Locks the chain until the transaction ends. False: the lease is lost. */
export async function lockHeldChain(tx: Executor, place: ChainPlace): Promise<boolean> {
  return hasRow(
    tx,
    sql`select 1 as held from experiment_chains where ${heldAt(place)} for no key update`,
  );
}

export interface ChainAdvance {
  readonly phase: string;
  readonly iteration: number;
  readonly savedWarmup: number;
  readonly savedSamples: number;
  readonly divergences: number;
  readonly treedepthHits: number;
  readonly drawsPerSecond: number | null;
  readonly warmupSeconds: number;
  readonly samplingSeconds: number;
  readonly stepSize: number | null;
  readonly checkpoint: Uint8Array;
}

/** Stores progress and checkpoint. False: the lease is lost, and the transaction must be rolled back. */
export async function updateChain(
  tx: Executor,
  place: ChainPlace,
  advance: ChainAdvance,
): Promise<boolean> {
  const { checkpoint } = advance;
  const touched = await execute(
    tx,
    sql`update experiment_chains set phase = ${advance.phase}, iteration = ${advance.iteration},
          saved_warmup = ${advance.savedWarmup}, saved_samples = ${advance.savedSamples},
          divergences = ${advance.divergences}, treedepth_hits = ${advance.treedepthHits},
          draws_per_second = ${advance.drawsPerSecond}, warmup_seconds = ${advance.warmupSeconds},
          sampling_seconds = ${advance.samplingSeconds}, step_size = ${advance.stepSize},
          checkpoint = ${Buffer.from(checkpoint.buffer, checkpoint.byteOffset, checkpoint.byteLength)},
          heartbeat_at = now(), attempts = 0
        where ${heldAt(place)}`,
  );
  return touched === 1;
}

export interface ChainEnd {
  /** `queued`: it has draws left to make, and waits, pauses or stops as its owner wants. */
  readonly state: 'queued' | 'done' | 'failed';
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/** The state of a chain that is not running and has draws left to make: it waits, unless its owner wants otherwise. */
const restingState = (desired: SQL): SQL =>
  sql`case ${desired} when 'stop' then 'stopped' when 'pause' then 'paused' else 'queued' end`;
const desiredRestingState: SQL = restingState(sql`desired_state`);

/** Releases a chain. False: the lease was already lost. */
export async function releaseChain(
  tx: Executor,
  place: ChainPlace,
  end: ChainEnd,
): Promise<boolean> {
  const touched = await execute(
    tx,
    sql`update experiment_chains set worker_id = null, draws_per_second = null,
          state = ${end.state === 'queued' ? desiredRestingState : sql`${end.state}`},
          error_code = ${end.errorCode ?? null},
          error_message = ${end.errorMessage === undefined ? null : cleanText(end.errorMessage)},
          finished_at = case when ${end.state} <> 'queued' or desired_state = 'stop' then now() end,
          iterations = case when ${end.state} = 'done' then iteration else iterations end
        where ${heldAt(place)}`,
  );
  return touched === 1;
}

/** The desired states of the chains this worker runs; chains that it lost are absent. */
export async function listDesiredStates(
  db: Executor,
  workerId: number,
): Promise<{ experiment_id: number; chain: number; lease: number; desired_state: DesiredState }[]> {
  return select(
    db,
    sql`select experiment_id, chain, lease, desired_state from experiment_chains
        where worker_id = ${workerId} and state = 'running'`,
  );
}

/**
 * Sets the desired state of an experiment's chains. Those that no worker holds change state in the same statement: a
 * waiting chain with a desired state other than `run` would never be claimed or ended by a worker. Running chains
 * follow through their workers.
 */
export async function updateDesiredState(
  tx: Executor,
  experimentId: number,
  desired: DesiredState,
  /** Absent: all chains of the run. */
  names?: readonly string[],
): Promise<void> {
  const isMeant = names === undefined ? sql`` : sql`and name = any(${array(names, 'text')})`;
  const isResting = sql`state in ('queued', 'paused')`;
  await execute(
    tx,
    sql`update experiment_chains set desired_state = ${desired},
          state = case when ${isResting} then ${restingState(sql`${desired}::text`)} else state end,
          queued_at = case when state = 'paused' and ${desired} = 'run' then now() else queued_at end,
          finished_at = case when ${isResting} and ${desired} = 'stop' then now() else finished_at end
        where experiment_id = ${experimentId} and state <> 'outside' ${isMeant}`,
  );
  await notify(tx, CONTROL_CHANNEL, String(experimentId));
}

/**
 * Puts ended chains back into the queue; their desired state must be `run`. Stopped and failed chains among `replaced`
 * stay so.
 */
export async function requeueEnded(
  tx: Executor,
  experimentId: number,
  from: readonly ('stopped' | 'done' | 'failed')[],
  replaced: readonly string[] = [],
): Promise<void> {
  await execute(
    tx,
    sql`update experiment_chains set state = 'queued', error_code = null, error_message = null, attempts = 0,
          queued_at = now(), finished_at = null
        where experiment_id = ${experimentId} and state = any(${array(from, 'text')})
          and not (state in ('stopped', 'failed') and name = any(${array(replaced, 'text')}))`,
  );
}

export async function extendChains(
  tx: Executor,
  experimentId: number,
  extraIterations: number,
): Promise<void> {
  await execute(
    tx,
    sql`update experiment_chains set iterations = iterations + ${extraIterations}
        where experiment_id = ${experimentId} and state <> 'outside'`,
  );
}

/** Seconds without a heartbeat after which a worker on another machine counts as gone. */
const WORKER_SILENCE_SECONDS = 20;

/** A chain claimed this often without any progress probably crashes its workers, or cannot be ended properly. */
export const MAX_ATTEMPTS = 8;
const LOST_MESSAGE = `The worker ended ${MAX_ATTEMPTS} times while it ran this chain.`;

/** The new state of a chain that lost its worker: it continues elsewhere, until it has no attempts left. */
const lostChain: SQL = sql`worker_id = null, draws_per_second = null,
  state = case when attempts >= ${MAX_ATTEMPTS} then 'failed' else ${desiredRestingState} end,
  error_code = case when attempts >= ${MAX_ATTEMPTS} then 'WORKER_LOST' end,
  error_message = case when attempts >= ${MAX_ATTEMPTS} then ${LOST_MESSAGE} end,
  finished_at = case when attempts >= ${MAX_ATTEMPTS} or desired_state = 'stop' then now() end`;

/**
 * Requeues chains that belong to no living worker: one that lost its connection, or has been silent too long. Locked
 * rows are left for the next time: a frozen worker may hold one until its transaction is ended.
 * `lockClass` is the class of the advisory locks that living workers hold.
 */
export async function requeueLostChains(db: Executor, lockClass: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const lost = await execute(
      tx,
      sql`update experiment_chains set ${lostChain}
          from (
            select c.experiment_id as id, c.chain as number from experiment_chains c
              where c.state = 'running' and not exists (
                select 1 from workers w join pg_locks l on l.locktype = 'advisory' and l.classid = ${lockClass}::oid
                  and l.objid = w.id::oid and l.granted
                  and l.database = (select oid from pg_database where datname = current_database())
                where w.id = c.worker_id
                  and w.heartbeat_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS}::int))
              order by c.experiment_id, c.chain for no key update skip locked
          ) lost where experiment_id = lost.id and chain = lost.number`,
    );
    if (lost > 0) await wakeWorkers(tx);
    return lost;
  });
}

/** Requeues a chain whose thread is gone while its worker lives: its end could not be written. */
export async function requeueOrphan(db: Executor, hold: ChainHold): Promise<void> {
  await execute(db, sql`update experiment_chains set ${lostChain} where ${held(hold)}`);
}

/** Experiments that have waited for the finaliser longer than `seconds`. */
export async function listAwaitingFinalise(db: Executor, seconds: number): Promise<number[]> {
  return selectValues<Tables['objects']['id']>(
    db,
    sql`select id from objects where kind = 'experiment' and status = 'SAMPLE_FIN' and deleted_at is null
          and updated_at < now() - make_interval(secs => ${seconds})`,
  );
}
