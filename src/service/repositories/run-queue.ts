/**
 * The order in which waiting chains are taken.
 *
 * Between owners, who are people and teams, the one with fewer chains at work for their weight is next, and of two such who
 * waited longer since the last; so a thousand chains of one do not hold up the first of another. What a team gets is divided
 * among its members in the same way, by who started the run. One person's chains go by priority, then as they came.
 * A priority below zero steps behind everybody's; simulations of a calibration behind those too. A `lane` is what one
 * kind of worker takes: a word of run_on that a living worker claims, or everything else.
 */
import { array, type Executor, execute, type SQL, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** Seconds without a sign of life after which other workers may take what named a worker. */
const SILENCE_SECONDS = 30;

/** The names of pools are read once a statement: looked up for each chain, a thousand workers would be read as often. */
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
    select l.run_on, l.settings, l.started_by from experiments l where l.id = c.experiment_id offset 0) e`;
/** Whose turn a chain takes: of a team's run, the member who started it. */
const person: SQL = sql`coalesce(e.started_by, o.owner_id)`;

/** Chains and programs at work, by who has them and who started them. */
const running: SQL = sql`select owner_id, person_id, sum(n)::int as n from (
    select o.owner_id, ${person} as person_id, count(*) as n from experiment_chains c ${experimentOf} ${ownerOf}
      where c.state = 'running' group by 1, 2
    union all
    select o.owner_id, ${person}, count(*) from (
        select subject_id as experiment_id from tasks where kind = 'program' and state = 'running') c
      ${experimentOf} ${ownerOf} group by 1, 2
  ) all_at_work group by 1, 2`;

/** What orders waiting rows of \`q\` (owner_id, person_id): how much is at work for whom, their weights, limits and last turns. */
const shares: SQL = sql`
  left join owners_work r on r.owner_id = q.owner_id left join persons_work p on p.person_id = q.person_id
  left join running m on m.owner_id = q.owner_id and m.person_id = q.person_id
  left join queue_turns t on t.owner_id = q.owner_id left join queue_turns s on s.owner_id = q.person_id`;
const shareColumns: SQL = sql`coalesce(r.n, 0) as at_work, coalesce(t.weight, 1) as weight,
  coalesce(t.taken_at, '-infinity') as taken_at, coalesce(s.taken_at, '-infinity') as persons_taken_at`;

const amongMembers: SQL = sql`q.persons_turn, q.persons_taken_at, q.priority desc, q.queued_at, q.experiment_id, q.chain`;

/** Chains that wait; `only` leaves some out. */
const queuedChains = (only: SQL): SQL => sql`
  select c.experiment_id, c.chain, c.priority, c.queued_at, o.owner_id, ${person} as person_id, ${lane} as lane
    from experiment_chains c ${experimentOf} ${ownerOf}
    where c.state = 'queued' and c.desired_state = 'run' and o.deleted_at is null ${only}`;

/** Programs that wait, each as if it were one chain. */
const queuedPrograms = (only: SQL): SQL => sql`
  select c.experiment_id, 0 as chain, 0 as priority, c.queued_at, o.owner_id, ${person} as person_id, ${lane} as lane
    from (select subject_id as experiment_id, queued_at from tasks where kind = 'program' and state = 'waiting') c
      ${experimentOf} ${ownerOf}
    where o.deleted_at is null ${only}`;

/**
 * What waits, with what orders it. `first` keeps so many of each person's, and `mayBe` leaves those out who have what they
 * may have: they hold no places.
 */
const waiting = (queued: SQL, { first = sql``, mayBe = sql`` } = {}): SQL => sql`
  with running as materialized (${running}),
  owners_work as materialized (select owner_id, sum(n) as n from running group by 1),
  persons_work as materialized (select person_id, sum(n) as n from running group by 1),
  queued as materialized (${queued}),
  of_persons as (
    select q.*, ${shareColumns}, (coalesce(m.n, 0) + q.rank) / coalesce(s.weight, 1) as persons_turn
      from (select *, row_number() over (partition by lane, owner_id, person_id, least(priority, 0)
                order by priority desc, queued_at, experiment_id, chain) as rank from queued) q
        ${shares} where true ${first} ${mayBe}
  )
  select q.*, (q.at_work + row_number() over (partition by q.lane, q.owner_id, least(q.priority, 0)
      order by ${amongMembers})) / q.weight as turn
    from of_persons q`;

const inOrder: SQL = sql`least(n.priority, 0) desc, n.turn, n.taken_at, n.queued_at, n.experiment_id, n.chain`;

export interface QueueChoice {
  /** Names in run_on that it serves; empty: any that no other worker claims. */
  readonly pools: readonly string[];
  /** Chains of one person at once, in all workers, where they have no limit of their own; 0: no limit. */
  readonly userChains: number;
}

const unlimited = 2 ** 31 - 1;

/** More than there are workers that take something of one person's at the same moment, each skipping what another holds. */
const first: SQL = sql`and q.rank <= 100`;

/** A team has no limit but its own; who started what it has at work has theirs. */
const belowLimits = (userChains: number): SQL => sql`
  and coalesce(r.n, 0) < coalesce(t.chain_limit, ${unlimited}::int)
    and coalesce(p.n, 0) < coalesce(s.chain_limit, ${userChains || unlimited}::int)`;

/** Whether a worker of these pools takes a run. */
export function isServed(pools: readonly string[]): SQL {
  const names = array(
    pools.map((pool) => pool.toLowerCase()),
    'text',
  );
  return pools.length > 0 ? sql`lower(e.run_on) = any(${names})` : sql`${lane} = ''`;
}

/** Locks the chain that is next for a worker and gives its key as a subquery's columns; skips what others hold. */
export function nextChain({ pools, userChains }: QueueChoice): SQL {
  const hasRoom = sql`(e.settings->>'parallel_chains' is null or (e.settings->>'parallel_chains')::int > (
    select count(*) from experiment_chains p where p.experiment_id = c.experiment_id and p.state = 'running'))`;
  const queued = queuedChains(sql`and ${isServed(pools)} and ${hasRoom}`);
  return sql`select f.experiment_id, f.chain, n.owner_id, n.person_id,
      extract(epoch from now() - greatest(f.queued_at, f.heartbeat_at))::float8 as waited_seconds
    from (${waiting(queued, { first, mayBe: belowLimits(userChains) })}) n
      join experiment_chains f on f.experiment_id = n.experiment_id and f.chain = n.chain
    where f.state = 'queued'
    order by ${inOrder} limit 1 for update of f skip locked`;
}

/** The same of programs. */
export function nextProgram({ pools, userChains }: QueueChoice): SQL {
  const queued = queuedPrograms(sql`and ${isServed(pools)}`);
  return sql`select n.experiment_id, n.owner_id, n.person_id
    from (${waiting(queued, { first, mayBe: belowLimits(userChains) })}) n
      join tasks f on f.kind = 'program' and f.subject_id = n.experiment_id
    where f.state = 'waiting'
    order by ${inOrder} limit 1 for update of f skip locked`;
}

/** How often something is taken again when another worker took the last place a person may have. */
const ATTEMPTS = 5;

/** Somebody has as many at work as they may, since a moment ago. */
class TurnLost extends Error {}

/** `take` is a transaction that throws what `takeTurn` throws; null when others were quicker each time. */
export async function inTurn<T>(take: () => Promise<T | null>): Promise<T | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof TurnLost)) throw error;
    }
  }
  return null;
}

/** Who has what was taken, and who started it. */
export interface Turn {
  readonly owner_id: number;
  readonly person_id: number;
}

/**
 * Notes that it was this owner's and this person's turn. Throws for {@link inTurn} when another worker took something of
 * theirs since, and this would be one too many. Other workers that take what is theirs wait until the transaction ends.
 */
export async function takeTurn(tx: Executor, turn: Turn, userChains: number): Promise<void> {
  const { owner_id: ownerId, person_id: personId } = turn;
  // the team before its member, everywhere, so that two workers never wait for each other
  const ownersLimit = await noteTurn(tx, ownerId);
  const personsLimit = personId === ownerId ? ownersLimit : await noteTurn(tx, personId);
  const [most, mostOfPerson] = [
    ownersLimit ?? unlimited,
    personsLimit ?? (userChains || unlimited),
  ];
  if (Math.min(most, mostOfPerson) === unlimited) return;
  const row = await selectOne<{ owners: number; persons: number }>(
    tx,
    sql`select coalesce(sum(n) filter (where owner_id = ${ownerId}), 0)::int as owners,
          coalesce(sum(n) filter (where person_id = ${personId}), 0)::int as persons from (${running}) r`,
  );
  if (row === null || row.owners > most || row.persons > mostOfPerson) throw new TurnLost();
}

async function noteTurn(tx: Executor, id: number): Promise<number | null> {
  const turn = await selectOne<Columns<'queue_turns', 'chain_limit'>>(
    tx,
    sql`insert into queue_turns (owner_id) values (${id})
        on conflict (owner_id) do update set taken_at = clock_timestamp() returning chain_limit`,
  );
  return turn?.chain_limit ?? null;
}

/**
 * How many chains workers with room would take now, one after the other: what limits and `parallel_chains` hold back does not
 * count.
 */
export async function countTakeable(
  db: Executor,
  { pools, userChains }: QueueChoice,
): Promise<number> {
  const room = sql`coalesce((e.settings->>'parallel_chains')::int, ${unlimited}::int) - (
    select count(*) from experiment_chains a where a.experiment_id = c.experiment_id and a.state = 'running')`;
  const rows = await select<TakeableChains>(
    db,
    sql`with running as materialized (${running}),
        queued as materialized (${queuedChains(sql`and ${isServed(pools)}`)}), runs as (
          select experiment_id, max(owner_id) as owner_id, max(person_id) as person_id, count(*) as waiting
            from queued group by experiment_id
        ), q as (
          select c.owner_id, c.person_id, sum(least(c.waiting, greatest(0, ${room})))::int as n
            from runs c ${experimentOf} group by 1, 2
        )
        select q.owner_id, q.person_id, q.n,
            coalesce(t.chain_limit, ${unlimited}::int) - coalesce((
              select sum(n) from running where owner_id = q.owner_id), 0)::int as owners_room,
            coalesce(s.chain_limit, ${userChains || unlimited}::int) - coalesce((
              select sum(n) from running where person_id = q.person_id), 0)::int as persons_room
          from q left join queue_turns t on t.owner_id = q.owner_id left join queue_turns s on s.owner_id = q.person_id
          order by 1, 2`,
  );
  return sumWithin(rows);
}

interface TakeableChains extends Turn {
  readonly n: number;
  /** How many more may be at work. */
  readonly owners_room: number;
  readonly persons_room: number;
}

/** A member's chains count for the team and for themselves. */
function sumWithin(rows: readonly TakeableChains[]): number {
  const owners = new Map(rows.map((row) => [row.owner_id, row.owners_room]));
  const persons = new Map(rows.map((row) => [row.person_id, row.persons_room]));
  let sum = 0;
  for (const { owner_id, person_id, n } of rows) {
    const [ofOwner, ofPerson] = [owners.get(owner_id) ?? 0, persons.get(person_id) ?? 0];
    const taken = Math.max(0, Math.min(n, ofOwner, ofPerson));
    owners.set(owner_id, ofOwner - taken);
    persons.set(person_id, ofPerson - taken);
    sum += taken;
  }
  return sum;
}

/** Experiments of which chains wait: how many, since when, and their place from 1, each in its lane. */
const places: SQL = sql`
  select experiment_id, lane, waiting, since, priority, row_number() over (partition by lane order by at) as place from (
    select experiment_id, lane, min(at) as at, count(*) as waiting, min(queued_at) as since, max(priority) as priority
      from (
        select n.experiment_id, n.lane, n.queued_at, n.priority,
            row_number() over (partition by n.lane order by ${inOrder}) as at
          from (${waiting(queuedChains(sql``))}) n
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
          select c.subject_id, (c.state = 'waiting')::int, (c.state = 'running')::int, 0, 0, 0, w.place, c.queued_at
            from tasks c left join (
              select n.experiment_id, row_number() over (partition by n.lane order by ${inOrder}) as place
                from (${waiting(queuedPrograms(sql``))}) n
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

/**
 * People and teams of whom something waits or is at work, and those with a share of their own; by name. A team has what is
 * its own, a person what they started, in their own name or a team's: that is what limits count.
 */
export async function listQueueUsers(db: Executor): Promise<QueueUser[]> {
  return select<QueueUser>(
    db,
    sql`with parts as materialized (
          select o.owner_id, ${person} as person_id, c.is_running from (
              select experiment_id, state = 'running' as is_running from experiment_chains
                where state = 'running' or state = 'queued' and desired_state = 'run'
              union all
              select subject_id, state = 'running' from tasks where kind = 'program'
            ) c ${experimentOf} ${ownerOf} where o.deleted_at is null
        )
        select u.id, u.name, u.is_team, n.waiting, n.running,
          coalesce(t.weight, 1)::float8 as weight, t.chain_limit
        from (
          select id, sum(waiting)::bigint as waiting, sum(running)::bigint as running from (
            select owner_id as id, (not is_running)::int as waiting, is_running::int as running from parts
            union all
            select person_id, (not is_running)::int, is_running::int from parts where person_id <> owner_id
            union all
            select owner_id, 0, 0 from queue_turns where weight <> 1 or chain_limit is not null
          ) counted group by id
        ) n join users u on u.id = n.id left join queue_turns t on t.owner_id = u.id
        order by u.name`,
  );
}

export interface QueueUser extends Columns<'users', 'id' | 'name' | 'is_team'>, QueueShare {
  readonly waiting: number;
  readonly running: number;
}

/** How much of the machines a person or team may have: see `queue_turns`. */
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
