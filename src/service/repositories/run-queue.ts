/**
 * The order in which waiting chains are taken.
 *
 * Between users the one with fewer chains at work for their weight is next, and of two such who waited longer since the
 * last; so a hundred chains of one do not hold up the first of another. A user's own chains go by priority, then as they
 * came.
 * A priority below zero steps behind everybody's; simulations of a calibration behind those too. A `lane` is what one
 * kind of worker takes: a word of run_on that a living worker claims, or everything else.
 */
import { array, type Executor, execute, type SQL, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** Seconds without a sign of life after which other workers may take what named a worker. */
const SILENCE_SECONDS = 30;

/** The words are read once a statement: looked up for each chain, a thousand workers would be read as often. */
const lane: SQL = sql`case when lower(e.run_on) in (select unnest(w.pools) from workers w
    where w.heartbeat_at > now() - make_interval(secs => ${SILENCE_SECONDS}::int)) then lower(e.run_on) else '' end`;

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
  select q.*, coalesce(t.taken_at, '-infinity') as taken_at, coalesce(r.n, 0) as at_work, t.chain_limit,
      (coalesce(r.n, 0) + row_number() over (partition by q.lane, q.owner_id, least(q.priority, 0)
        order by q.priority desc, q.queued_at, q.experiment_id, q.chain)) / coalesce(t.weight, 1) as turn
    from (
      select c.experiment_id, c.chain, c.priority, c.queued_at, o.owner_id, ${lane} as lane
        from experiment_chains c ${experimentOf} ${ownerOf}
        where c.state = 'queued' and c.desired_state = 'run' and o.deleted_at is null ${only}
    ) q left join (${running}) r on r.owner_id = q.owner_id left join queue_turns t on t.owner_id = q.owner_id`;

const inOrder: SQL = sql`least(n.priority, 0) desc, n.turn, n.taken_at, n.queued_at, n.experiment_id, n.chain`;

export interface QueueChoice {
  /** Names in run_on that it serves; empty: any that no other worker claims. */
  readonly pools: readonly string[];
  /** Chains of one user at once, in all workers, where the user has no limit of their own; 0: no limit. */
  readonly userChains: number;
}

const unlimited = 2 ** 31 - 1;

/** Locks the chain that is next for a worker and gives its key as a subquery's columns; skips what others hold. */
export function nextChain({ pools, userChains }: QueueChoice): SQL {
  const names = array(
    pools.map((pool) => pool.toLowerCase()),
    'text',
  );
  const mine = pools.length > 0 ? sql`lower(e.run_on) = any(${names})` : sql`${lane} = ''`;
  const hasRoom = sql`(e.settings->>'parallel_chains' is null or (e.settings->>'parallel_chains')::int > (
    select count(*) from experiment_chains p where p.experiment_id = c.experiment_id and p.state = 'running'))`;
  return sql`select f.experiment_id, f.chain, n.owner_id
    from (${waiting(sql`and ${mine} and ${hasRoom}`)}) n
      join experiment_chains f on f.experiment_id = n.experiment_id and f.chain = n.chain
    where f.state = 'queued' and n.at_work < coalesce(n.chain_limit, ${userChains || unlimited}::int)
    order by ${inOrder} limit 1 for update of f skip locked`;
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
  const turn = await selectOne<Columns<'queue_turns', 'chain_limit'>>(
    tx,
    sql`insert into queue_turns (owner_id) values (${ownerId})
        on conflict (owner_id) do update set taken_at = clock_timestamp() returning chain_limit`,
  );
  const limit = turn?.chain_limit ?? (userChains || unlimited);
  if (limit === unlimited) return true;
  const row = await selectOne<{ n: number }>(
    tx,
    sql`select r.n from (${running}) r where r.owner_id = ${ownerId}`,
  );
  return (row?.n ?? 0) <= limit;
}

/** Experiments of which chains wait: how many, since when, and their place from 1, each in its lane. */
const places: SQL = sql`
  select experiment_id, lane, waiting, since, priority, row_number() over (partition by lane order by at) as place from (
    select experiment_id, lane, min(at) as at, count(*) as waiting, min(queued_at) as since, max(priority) as priority
      from (
        select n.experiment_id, n.lane, n.queued_at, n.priority,
            row_number() over (partition by n.lane order by ${inOrder}) as at
          from (${waiting(sql``)}) n
      ) turns group by experiment_id, lane
  ) runs`;

/** The place of experiments of which a chain waits, from 1, each in its lane. */
export async function listQueuePlaces(
  db: Executor,
  experimentIds: readonly number[],
): Promise<Map<number, number>> {
  if (experimentIds.length === 0) return new Map();
  const rows = await select<{ experiment_id: number; place: number }>(
    db,
    sql`select experiment_id, place from (${places}) p
        where experiment_id = any(${array(experimentIds, 'bigint')})`,
  );
  return new Map(rows.map((row) => [row.experiment_id, row.place]));
}

/** A run that waits or is at work: one whose chains a worker takes, or a program. */
export interface QueuedRun
  extends Columns<'objects', 'short_id' | 'owner_id' | 'name'>,
    Columns<'experiments', 'run_on'> {
  readonly owner: string;
  readonly waiting: number;
  readonly running: number;
  /** Iterations done and to do, of the chains at work. */
  readonly iteration: number;
  readonly iterations: number;
  readonly priority: number;
  /** Among the chains of its lane, or among programs; null: nothing of it waits. */
  readonly place: number | null;
  /** Since when it waits, or what is at work began. */
  readonly since: string;
  /** How many runs there are in all. */
  readonly total: number;
}

/** What is at work, then what waits in the order in which it is taken. */
export async function listQueuedRuns(db: Executor, limit: number): Promise<QueuedRun[]> {
  return select<QueuedRun>(
    db,
    sql`with q as materialized (${places}), at_work as (
          select experiment_id, count(*) as running, sum(iteration) as iteration, sum(iterations) as iterations,
              min(started_at) as since, max(priority) as priority
            from experiment_chains where state = 'running' group by experiment_id
        ), chains as (
          select experiment_id, coalesce(q.waiting, 0) as waiting, coalesce(w.running, 0) as running,
              coalesce(w.iteration, 0) as iteration, coalesce(w.iterations, 0) as iterations,
              coalesce(q.priority, w.priority) as priority, q.place, coalesce(w.since, q.since) as since
            from q full join at_work w using (experiment_id)
        ), runs as (
          select * from chains
          union all
          select subject_id, (state = 'waiting')::int, (state = 'running')::int, 0, 0, 0,
              case when state = 'waiting' then row_number() over (partition by state order by queued_at, subject_id) end,
              queued_at
            from tasks where kind = 'program'
        )
        select o.short_id, o.owner_id, o.name, u.name as owner, e.run_on, r.waiting, r.running,
            r.iteration::float8 as iteration, r.iterations::float8 as iterations, r.priority, r.place, r.since,
            count(*) over () as total
          from runs r cross join lateral (
              select l.short_id, l.owner_id, l.name, l.deleted_at from objects l where l.id = r.experiment_id offset 0) o
            cross join lateral (select l.run_on from experiments l where l.id = r.experiment_id offset 0) e
            join users u on u.id = o.owner_id
          where o.deleted_at is null
          order by r.running = 0, r.place, r.since, r.experiment_id limit ${limit}::int`,
  );
}

/** Users of whom something waits or is at work, and those with a share of their own; by name. */
export async function listQueueUsers(db: Executor): Promise<QueueUser[]> {
  return select<QueueUser>(
    db,
    sql`select u.id, u.name, coalesce(n.waiting, 0) as waiting, coalesce(n.running, 0) as running,
          coalesce(t.weight, 1)::float8 as weight, t.chain_limit
        from (
          select owner_id, sum(waiting)::bigint as waiting, sum(running)::bigint as running from (
            select o.owner_id, count(*) as waiting, 0 as running from experiment_chains c ${ownerOf}
              where c.state = 'queued' and c.desired_state = 'run' and o.deleted_at is null group by o.owner_id
            union all
            select o.owner_id, 0, count(*) from experiment_chains c ${ownerOf}
              where c.state = 'running' and o.deleted_at is null group by o.owner_id
            union all
            select owner_id, 0, 0 from queue_turns where weight <> 1 or chain_limit is not null
          ) counted group by owner_id
        ) n join users u on u.id = n.owner_id left join queue_turns t on t.owner_id = u.id
        order by u.name`,
  );
}

export interface QueueUser extends Columns<'users', 'id' | 'name'>, QueueShare {
  readonly waiting: number;
  readonly running: number;
}

/** How much of the machines a user may have: see `queue_turns`. */
export type QueueShare = Columns<'queue_turns', 'weight' | 'chain_limit'>;

export async function updateQueueShare(
  db: Executor,
  ownerId: number,
  { weight, chain_limit }: QueueShare,
): Promise<void> {
  await execute(
    db,
    sql`insert into queue_turns (owner_id, taken_at, weight, chain_limit)
        values (${ownerId}, '-infinity', ${weight}, ${chain_limit})
        on conflict (owner_id) do update set weight = excluded.weight, chain_limit = excluded.chain_limit`,
  );
}
