/**
 * Places in the queue, as users see them, counted over all waiting chains. For a long queue, one worker counts them
 * from time to time and stores them for all readers; for a short one, they are counted on request.
 */
import {
  array,
  type Executor,
  execute,
  hasRow,
  prepared,
  type SQL,
  select,
  selectCount,
  sql,
} from './database.ts';
import { allTurns, chains, inOrder, programs } from './run-queue.ts';
import type { Columns } from './tables.ts';

/** Experiments with waiting chains: how many, since when, and their place from 1, each in its lane. */
const counted: SQL = sql`
  select experiment_id, waiting, since, priority, row_number() over (partition by lane order by at) as place from (
    select experiment_id, lane, min(at) as at, count(*) as waiting, min(queued_at) as since, max(priority) as priority
      from (
        select n.experiment_id, n.lane, n.queued_at, n.priority,
            row_number() over (partition by n.lane order by ${inOrder}) as at
          from (${allTurns(chains)}) n
      ) turns group by experiment_id, lane
  ) runs`;

/** The same as last stored, for those that still wait. */
const kept: SQL = sql`
  select q.experiment_id, q.waiting, q.since, q.priority, q.place from queue_places q
    where exists (select 1 ${chains.rows} and c.experiment_id = q.experiment_id)`;

/** A queue of more waiting chains than this is long: counting its places takes 10 to 20 ms. */
const LONG_QUEUE = 2000;
/** Seconds for which stored places are not recounted, and after which they are ignored: no worker updates them. */
const [KEPT_SECONDS, BELIEVED_SECONDS] = [20, 600];

const arePlacesKept = async (db: Executor, seconds: number): Promise<boolean> =>
  hasRow(
    db,
    prepared(sql`select 1 as one from (select counted_at from queue_places limit 1) q
        where counted_at > now() - make_interval(secs => ${seconds}::int)`),
  );

/** Counts and stores the places of a long queue. `longQueue` is for tests. */
export async function keepQueuePlaces(db: Executor, longQueue = LONG_QUEUE): Promise<void> {
  const waiting = await selectCount(
    db,
    sql`select count(*) from (select 1 ${chains.rows} limit ${longQueue + 1}::int) w`,
  );
  if (waiting <= longQueue) await execute(db, sql`delete from queue_places`);
  else if (!(await arePlacesKept(db, KEPT_SECONDS))) await countAndKeep(db);
}

async function countAndKeep(db: Executor): Promise<void> {
  await execute(
    db,
    sql`with now_counted as materialized (${counted}), put as (
          insert into queue_places (experiment_id, place, waiting, since, priority, counted_at)
            select experiment_id, place, waiting, since, priority, now() from now_counted
            on conflict (experiment_id) do update set place = excluded.place, waiting = excluded.waiting,
              since = excluded.since, priority = excluded.priority, counted_at = excluded.counted_at
        )
        delete from queue_places where experiment_id not in (select experiment_id from now_counted)`,
  );
}

/** The place of each experiment with a waiting chain, from 1, each in its lane. */
export async function listQueuePlaces(
  db: Executor,
  experimentIds: readonly number[],
): Promise<Map<number, number>> {
  if (experimentIds.length === 0) return new Map();
  const ids = array(experimentIds, 'bigint');
  const isKept = await arePlacesKept(db, BELIEVED_SECONDS);
  const rows = await select<QueuePlace>(
    db,
    prepared(
      isKept
        ? // those queued since come after the others until places are recounted
          sql`select w.id as experiment_id, coalesce(q.place, (select max(place) + 1 from queue_places)) as place
            from unnest(${ids}) w(id) left join queue_places q on q.experiment_id = w.id
            where exists (select 1 ${chains.rows} and c.experiment_id = w.id)`
        : sql`select experiment_id, place from (${counted}) p where experiment_id = any(${ids})`,
    ),
  );
  return new Map(rows.map((row) => [row.experiment_id, row.place]));
}

type QueuePlace = Columns<'queue_places', 'experiment_id' | 'place'>;

/** A run that waits or is in progress: one whose chains a worker takes, or a program. */
export interface QueuedRun
  extends Columns<'objects', 'short_id' | 'owner_id' | 'name'>,
    Columns<'experiments', 'run_on'> {
  readonly owner: string;
  readonly waiting: number;
  readonly running: number;
  /** Iterations done and in total, of the running chains. */
  readonly iteration: number;
  readonly iterations: number;
  readonly priority: number;
  /** Among the chains of its lane, or among programs; null: no part of it waits. */
  readonly place: number | null;
  /** When it was queued, or when its running part began. */
  readonly since: string;
  /** Total number of runs. */
  readonly total: number;
}

/** Running ones, then waiting ones in the order in which they are taken. */
export async function listQueuedRuns(db: Executor, limit: number): Promise<QueuedRun[]> {
  const places = (await arePlacesKept(db, BELIEVED_SECONDS)) ? kept : counted;
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
          select c.subject_id, (c.state = 'waiting')::int, (c.state = 'running')::int, 0, 0, 0, w.place, c.queued_at
            from tasks c left join (
              select n.experiment_id, row_number() over (partition by n.lane order by ${inOrder}) as place
                from (${allTurns(programs)}) n
            ) w on w.experiment_id = c.subject_id where c.kind = 'program'
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
