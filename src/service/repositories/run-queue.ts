/**
 * The order in which waiting chains are taken.
 *
 * Between users the one with fewer chains at work is next, and of two such who waited longer since the last; so a
 * hundred chains of one do not hold up the first of another. A user's own chains go by priority, then as they came.
 * A priority below zero steps behind everybody's; simulations of a calibration behind those too. A `lane` is what one
 * kind of worker takes: a word of run_on that a living worker claims, or everything else.
 */
import { array, type Executor, execute, type SQL, select, selectOne, sql } from './database.ts';

/** Seconds without a sign of life after which other workers may take what named a worker. */
const SILENCE_SECONDS = 30;

const lane: SQL = sql`case when exists (select 1 from workers w where lower(e.run_on) = any(w.pools)
    and w.heartbeat_at > now() - make_interval(secs => ${SILENCE_SECONDS}::int)) then lower(e.run_on) else '' end`;

/**
 * What a chain `c` belongs to, looked up a row at a time. Chains that wait are the newest, beyond what the planner's
 * statistics know: it takes a merge with all objects for one that ends at once, and reads a hundred thousand. `offset 0`
 * keeps it from rearranging the lookup.
 */
const ownerOf: SQL = sql`cross join lateral (
    select l.owner_id, l.deleted_at from objects l where l.id = c.experiment_id offset 0) o`;
const experimentOf: SQL = sql`cross join lateral (
    select l.run_on, l.settings from experiments l where l.id = c.experiment_id offset 0) e`;

const running: SQL = sql`select o.owner_id, count(*) as n from experiment_chains c ${ownerOf}
  where c.state = 'running' group by o.owner_id`;

/** Waiting chains with what orders them; `only` leaves some out. */
const waiting = (only: SQL): SQL => sql`
  select q.*, coalesce(t.taken_at, '-infinity') as taken_at,
      coalesce(r.n, 0) + row_number() over (partition by q.lane, q.owner_id, least(q.priority, 0)
        order by q.priority desc, q.queued_at, q.experiment_id, q.chain) as turn
    from (
      select c.experiment_id, c.chain, c.priority, c.queued_at, o.owner_id, ${lane} as lane
        from experiment_chains c ${experimentOf} ${ownerOf}
        where c.state = 'queued' and c.desired_state = 'run' and o.deleted_at is null ${only}
    ) q left join (${running}) r on r.owner_id = q.owner_id left join queue_turns t on t.owner_id = q.owner_id`;

const inOrder: SQL = sql`least(n.priority, 0) desc, n.turn, n.taken_at, n.queued_at, n.experiment_id, n.chain`;

export interface QueueChoice {
  /** Names in run_on that it serves; empty: any that no other worker claims. */
  readonly pools: readonly string[];
  /** Chains of one user at once, in all workers; 0: no limit. */
  readonly userChains: number;
}

/** Locks the chain that is next for a worker and gives its key as a subquery's columns; skips what others hold. */
export function nextChain({ pools, userChains }: QueueChoice): SQL {
  const names = array(
    pools.map((pool) => pool.toLowerCase()),
    'text',
  );
  const mine = pools.length > 0 ? sql`lower(e.run_on) = any(${names})` : sql`${lane} = ''`;
  const hasRoom = sql`(e.settings->>'parallel_chains' is null or (e.settings->>'parallel_chains')::int > (
    select count(*) from experiment_chains p where p.experiment_id = c.experiment_id and p.state = 'running'))`;
  const isAllowed =
    userChains === 0
      ? sql``
      : sql`and coalesce((select r.n from (${running}) r where r.owner_id = o.owner_id), 0) < ${userChains}::int`;
  return sql`select f.experiment_id, f.chain, n.owner_id
    from (${waiting(sql`and ${mine} and ${hasRoom} ${isAllowed}`)}) n
      join experiment_chains f on f.experiment_id = n.experiment_id and f.chain = n.chain
    where f.state = 'queued' order by ${inOrder} limit 1 for update of f skip locked`;
}

/**
 * Notes that it was this user's turn. False: another worker took a chain of theirs since, and this one would be one
 * too many; the transaction must be rolled back. Other workers that take chains of theirs wait until it ends.
 */
export async function takeTurn(
  tx: Executor,
  ownerId: number,
  userChains: number,
): Promise<boolean> {
  await execute(
    tx,
    sql`insert into queue_turns (owner_id) values (${ownerId})
        on conflict (owner_id) do update set taken_at = clock_timestamp()`,
  );
  if (userChains === 0) return true;
  const row = await selectOne<{ n: number }>(
    tx,
    sql`select r.n from (${running}) r where r.owner_id = ${ownerId}`,
  );
  return (row?.n ?? 0) <= userChains;
}

/** The place of experiments of which a chain waits, from 1, each in its lane. */
export async function listQueuePlaces(
  db: Executor,
  experimentIds: readonly number[],
): Promise<Map<number, number>> {
  if (experimentIds.length === 0) return new Map();
  const rows = await select<{ experiment_id: number; place: number }>(
    db,
    sql`select experiment_id, place from (
          select experiment_id, row_number() over (partition by lane order by min(at)) as place from (
            select n.experiment_id, n.lane, row_number() over (partition by n.lane order by ${inOrder}) as at
              from (${waiting(sql``)}) n
          ) places group by experiment_id, lane
        ) ranked where experiment_id = any(${array(experimentIds, 'bigint')})`,
  );
  return new Map(rows.map((row) => [row.experiment_id, row.place]));
}
