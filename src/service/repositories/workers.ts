/** Worker processes: their identity and heartbeats. */
import { CONTROL_CHANNEL } from './chains.ts';
import { array, type Executor, execute, type SQL, select, selectOne, sql } from './database.ts';
import type { Columns, Tables } from './tables.ts';

/** Class of the advisory lock that each worker holds on its own number for as long as its connection lives. */
export const WORKER_LOCK_CLASS = 4_715_002;

export interface NewWorker {
  readonly host: string;
  readonly pid: number;
  readonly pools: readonly string[];
  /** Chains in parallel. */
  readonly slots: number;
  /** Of the program, including the engine. */
  readonly version: string;
  readonly engine: number;
  /** Absent: it belongs to a service, and ends with it. */
  readonly isOwnProcess?: boolean;
  /** Of the batch system, if it runs in one. */
  readonly job?: string;
}

export type WorkerState = Tables['workers']['desired_state'];

export function insertWorker(db: Executor, worker: NewWorker): Promise<number> {
  return insertRow(db, worker, sql`default`);
}

async function insertRow(db: Executor, worker: NewWorker, id: SQL): Promise<number> {
  const pools = worker.pools.map((pool) => pool.toLowerCase());
  const row = await selectOne<Columns<'workers', 'id'>>(
    db,
    sql`insert into workers (id, host, pid, pools, slots, version, engine, is_own_process, job)
        overriding system value
        values (${id}, ${worker.host}, ${worker.pid}, ${array(pools, 'text')}, ${worker.slots},
          ${worker.version}, ${worker.engine}, ${worker.isOwnProcess ?? false}, ${worker.job ?? ''}) returning id`,
  );
  return (row as Columns<'workers', 'id'>).id;
}

/**
 * Renews the heartbeat. A worker away for so long that its row was removed is listed again under its number: unlisted
 * workers lose their chains. True if the database's clock was set back since the last call.
 */
export async function touchWorker(db: Executor, id: number, worker: NewWorker): Promise<boolean> {
  const row = await selectOne<{ is_set_back: boolean }>(
    db,
    sql`with last as (select heartbeat_at from workers where id = ${id})
        update workers set heartbeat_at = now() from last where id = ${id}
        returning last.heartbeat_at > now() as is_set_back`,
  );
  if (row === null) await insertRow(db, worker, sql`${id}`);
  return row?.is_set_back === true;
}

export async function removeWorker(db: Executor, id: number): Promise<void> {
  await execute(db, sql`delete from workers where id = ${id}`);
}

/** Rows of workers long gone. */
export async function removeDeadWorkers(db: Executor): Promise<void> {
  await execute(db, sql`delete from workers where heartbeat_at < now() - interval '1 hour'`);
}

/** The state that an administrator wants; null: it is no longer listed. */
export async function findWorkerState(db: Executor, id: number): Promise<WorkerState | null> {
  const row = await selectOne<Columns<'workers', 'desired_state'>>(
    db,
    sql`select desired_state from workers where id = ${id}`,
  );
  return row?.desired_state ?? null;
}

/** Seconds without a heartbeat after which a worker should not be relied on. */
const SILENCE_SECONDS = 30;

export interface ListedWorker
  extends Columns<
    'workers',
    | 'id'
    | 'host'
    | 'pid'
    | 'pools'
    | 'slots'
    | 'version'
    | 'desired_state'
    | 'is_own_process'
    | 'started_at'
    | 'heartbeat_at'
  > {
  readonly is_silent: boolean;
  /** Analyses, imports and similar tasks that it is running. */
  readonly tasks: number;
}

const columns = sql`w.id, w.host, w.pid, w.pools, w.slots, w.version, w.desired_state, w.is_own_process, w.started_at,
  w.heartbeat_at, w.heartbeat_at < now() - make_interval(secs => ${SILENCE_SECONDS}::int) as is_silent,
  (select count(*) from tasks t where t.worker_id = w.id and t.state = 'running') as tasks`;

export async function listWorkers(db: Executor): Promise<ListedWorker[]> {
  return select<ListedWorker>(db, sql`select ${columns} from workers w order by w.host, w.id`);
}

/** What workers carry out: runs, with each worker's chains. */
export interface WorkerRun extends Columns<'objects', 'short_id' | 'owner_id' | 'name'> {
  readonly worker_id: number;
  readonly owner: string;
  /** Empty for a program. */
  readonly chains: readonly number[];
  readonly draws_per_second: number;
}

export async function listWorkerRuns(db: Executor): Promise<WorkerRun[]> {
  return select<WorkerRun>(
    db,
    sql`select r.worker_id, o.short_id, o.owner_id, o.name, u.name as owner, r.chains, r.draws_per_second
        from (
          select worker_id, experiment_id, array_agg(chain order by chain) as chains,
              coalesce(sum(draws_per_second), 0)::float8 as draws_per_second
            from experiment_chains where state = 'running' group by worker_id, experiment_id
          union all
          select worker_id, subject_id, '{}', 0 from tasks where kind = 'program' and state = 'running'
        ) r join objects o on o.id = r.experiment_id join users u on u.id = o.owner_id
        where r.worker_id is not null order by r.worker_id, o.id`,
  );
}

/** False: there is no such worker, or it cannot be retired. The worker is notified when the transaction commits. */
export async function updateWorkerState(
  tx: Executor,
  id: number,
  desired: WorkerState,
): Promise<boolean> {
  const touched = await execute(
    tx,
    sql`update workers set desired_state = ${desired} where id = ${id} and (${desired} <> 'retire' or is_own_process)`,
  );
  if (touched === 0) return false;
  await execute(tx, sql`select pg_notify(${CONTROL_CHANNEL}, '')`);
  return true;
}

/**
 * True for one worker at a time, at most every `milliseconds`: it looks for lost or due work. One that dies meanwhile
 * delays the others by no more than that, and neither does a clock that was set back.
 */
export async function takeSharedRound(db: Executor, milliseconds: number): Promise<boolean> {
  const taken = await execute(
    db,
    sql`update shared_rounds set taken_at = clock_timestamp() where taken_at > clock_timestamp()
          or taken_at < clock_timestamp() - make_interval(secs => ${milliseconds / 1000}::float8)`,
  );
  return taken > 0;
}

/** Processes that take chains and jobs. */
export async function countWorkers(db: Executor): Promise<number> {
  return (await selectOne<{ n: number }>(db, sql`select count(*) as n from workers`))?.n ?? 0;
}
