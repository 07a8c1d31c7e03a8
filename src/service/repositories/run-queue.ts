/**
 * The order in which waiting chains are taken.
 *
 * Among owners (people and teams), the one with fewer running chains for their weight is next, and among equals the one
 * whose last turn was longer ago; so a thousand chains of one owner do not delay the first of another. A team's turns
 * are divided among its members in the same way, by who started the run. One person's chains go by priority, then first
 * come, first served. Chains with a priority below zero come after everyone's others; simulations of a calibration come
 * last. A `lane` is what one kind of worker takes: a name in run_on that a living worker claims, or everything else.
 */
import { array, type Executor, execute, type SQL, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** Seconds without a heartbeat after which other workers may take chains that name a worker. */
const SILENCE_SECONDS = 30;

/** The lane of a `run_on`, in lower case. The names of pools are read once per statement. */
const laneOf = (runOn: SQL): SQL => sql`case when ${runOn} in (select unnest(w.pools) from workers w
    where w.heartbeat_at > now() - make_interval(secs => ${SILENCE_SECONDS}::int)) then ${runOn} else '' end`;

/** Running chains and programs, by owner and by who started them. */
const running: SQL = sql`select owner_id, person_id, sum(n)::int as n from (
    select owner_id, person_id, count(*) as n from experiment_chains where state = 'running' group by 1, 2
    union all
    select owner_id, person_id, count(*) from tasks where kind = 'program' and state = 'running' group by 1, 2
  ) all_at_work group by 1, 2`;

/** Waiting rows `c`, in the table of chains or in that of tasks, and their order in an index. */
interface Waiting {
  /** `from` and `where`. */
  readonly rows: SQL;
  /** The number of the experiment. */
  readonly id: SQL;
  readonly columns: SQL;
  /** The order within one line. */
  readonly inLine: SQL;
  /** Omits what no worker may take now; `full_runs` are those with as many running chains as they may have together. */
  readonly takeable: SQL;
}

export const chains: Waiting = {
  rows: sql`from experiment_chains c where c.state = 'queued' and c.desired_state = 'run'`,
  id: sql`c.experiment_id`,
  columns: sql`c.experiment_id, c.chain, c.priority, c.queued_at, c.owner_id, c.person_id, c.run_on`,
  inLine: sql`c.priority desc, c.queued_at, c.experiment_id, c.chain`,
  takeable: sql`and c.experiment_id not in (select experiment_id from full_runs)`,
};
/** Each counts as one chain. */
export const programs: Waiting = {
  rows: sql`from tasks c where c.kind = 'program' and c.state = 'waiting'`,
  id: sql`c.subject_id`,
  columns: sql`c.subject_id as experiment_id, 0 as chain, 0 as priority, c.queued_at, c.owner_id, c.person_id, c.run_on`,
  inLine: sql`c.queued_at, c.subject_id`,
  takeable: sql``,
};
/** The run is not deleted; runs are stopped before deletion, so few lookups are in vain. */
const isThere = (id: SQL): SQL =>
  sql`(select l.deleted_at from objects l where l.id = ${id}) is null`;

/** A user's weight, limit and last turn. Looked up one by one: the table has everyone who ever ran something. */
const turnOf = (id: SQL): SQL => sql`left join lateral (
    select l.weight, l.chain_limit, l.taken_at from queue_turns l where l.owner_id = ${id} offset 0)`;

/**
 * The heads of all lines, with their sort values. A line is what waits for one owner, started by one person, for one
 * name in run_on; an index stores the lines consecutively, so from each head the next is one step away. Running chains
 * are counted in windows, whose cost the planner cannot misjudge. `only` omits rows, `mayBe` lines.
 */
function linesOf({ rows, columns, inLine }: Waiting, only: SQL, mayBe: SQL): SQL {
  const key = sql`c.owner_id, c.person_id, c.run_on`;
  const order = sql`order by ${key}, ${inLine} limit 1`;
  return sql`full_runs as materialized (
    select experiment_id from experiment_chains where state = 'running' and parallel_chains is not null
      group by 1 having count(*) >= min(parallel_chains)
  ), heads as (
    (select ${columns} ${rows} ${only} ${order})
    union all
    select n.* from heads h cross join lateral (
      select ${columns} ${rows} ${only} and (${key}) > (h.owner_id, h.person_id, h.run_on) ${order}) n
  ), counted as (
    select *, sum(n) over (partition by owner_id) as at_work, sum(n) over (partition by person_id) as persons_work,
        sum(n) over (partition by owner_id, person_id) as persons_at_work
      from (
        select *, 0 as n from heads
        union all
        select null, null, null, null, owner_id, person_id, null, n from (${running}) r
      ) all_lines
  ), lines as materialized (
    select h.experiment_id, h.chain, h.priority, h.queued_at, h.owner_id, h.person_id, h.run_on,
        ${laneOf(sql`h.run_on`)} as lane, h.persons_at_work, coalesce(s.weight, 1) as persons_weight,
        coalesce(s.taken_at, '-infinity') as persons_taken_at, h.at_work, coalesce(t.weight, 1) as weight,
        coalesce(t.taken_at, '-infinity') as taken_at
      from counted h ${turnOf(sql`h.owner_id`)} t on true ${turnOf(sql`h.person_id`)} s on true
      where h.experiment_id is not null ${mayBe}
  )`;
}

/** Within one owner: rows `q` in the order in which they are taken, those of a lower class after all others. */
const amongMembers: SQL = sql`q.persons_turn, q.persons_taken_at, q.priority desc, q.queued_at, q.experiment_id, q.chain`;
export const inOrder: SQL = sql`least(n.priority, 0) desc, n.turn, n.taken_at, n.queued_at, n.experiment_id, n.chain`;

/** Waiting rows `w`, joined with their `lines`, and the turn of each: see the order above. */
const withTurns = (waiting: SQL): SQL => sql`
  select q.*, (q.at_work + row_number() over (partition by q.lane, q.owner_id, least(q.priority, 0)
      order by ${amongMembers})) / q.weight as turn
    from (
      select w.*, (w.persons_at_work + row_number() over (partition by w.lane, w.owner_id, w.person_id, least(w.priority, 0)
          order by w.priority desc, w.queued_at, w.experiment_id, w.chain)) / w.persons_weight as persons_turn
        from (${waiting}) w
    ) q`;

const lineColumns: SQL = sql`l.lane, l.persons_at_work, l.persons_weight, l.persons_taken_at, l.at_work, l.weight, l.taken_at`;

/** Everything that waits, except for deleted runs, with its turns. */
export const allTurns = ({ rows, columns, ...rest }: Waiting): SQL => sql`
  with recursive ${linesOf({ rows, columns, ...rest }, sql``, sql``)},
  waiting as materialized (select ${columns} ${rows}),
  gone as materialized (
    select experiment_id from (select distinct experiment_id from waiting) r where not ${isThere(sql`r.experiment_id`)}
  )
  ${withTurns(sql`select w.*, ${lineColumns} from waiting w
      join lines l on l.owner_id = w.owner_id and l.person_id = w.person_id and l.run_on = w.run_on
    where w.experiment_id not in (select experiment_id from gone)`)}`;

export interface QueueChoice {
  /** Names in run_on that it serves; empty: any that no other worker claims. */
  readonly pools: readonly string[];
  /** One person's running chains, in all workers, if they have no separate limit; 0: no limit. */
  readonly userChains: number;
}

const unlimited = 2 ** 31 - 1;

/** A team has only its own limit; the person who started its running chains has theirs. */
const belowLimits = (userChains: number): SQL => sql`
  and h.at_work < coalesce(t.chain_limit, ${unlimited}::int)
    and h.persons_work < coalesce(s.chain_limit, ${userChains || unlimited}::int)`;

/** Whether a worker of these pools takes rows with this `runOn`, in lower case. */
export function isServed(pools: readonly string[], runOn: SQL): SQL {
  const names = array(
    pools.map((pool) => pool.toLowerCase()),
    'text',
  );
  return pools.length > 0 ? sql`${runOn} = any(${names})` : sql`${laneOf(runOn)} = ''`;
}

/**
 * The first `most` rows that a worker may take, in their order. Reads the head of each line, and as many more as may be
 * among them: after the heads of k other owners there are at most `most` - k rows of one owner.
 */
function firstTurns(waiting: Waiting, { pools, userChains }: QueueChoice, most: number): SQL {
  const { rows, columns, inLine, id } = waiting;
  const takeable = sql`and ${isThere(id)} ${waiting.takeable}`;
  const mayBe = sql`and ${isServed(pools, sql`h.run_on`)} ${belowLimits(userChains)}`;
  return sql`
  with recursive ${linesOf(waiting, takeable, mayBe)},
  of_persons as (
    select *, (persons_at_work + 1) / persons_weight as persons_turn, (at_work + 1) / weight as turn,
        1 = row_number() over (partition by lane, owner_id, person_id
          order by priority desc, queued_at, experiment_id, chain) as is_persons_first
      from lines
  ), of_owners as (
    select q.*, count(*) filter (where is_persons_first) over (partition by q.lane, q.owner_id
        order by least(q.priority, 0) desc, ${amongMembers}) as persons_at
      from of_persons q
  ), near as (
    select n.*, ${most}::int + 1 - count(*) filter (where is_persons_first and persons_at = 1)
        over (order by ${inOrder}) as most
      from of_owners n
  ), next as (
    ${withTurns(sql`select c.*, ${lineColumns} from near l cross join lateral (
        select ${columns} ${rows} ${takeable} and c.owner_id = l.owner_id and c.person_id = l.person_id
          and c.run_on = l.run_on order by ${inLine} limit l.most) c
      where l.persons_at <= l.most`)}
  )
  select n.*, row_number() over (order by ${inOrder}) as place from next n order by place limit ${most}::int`;
}

/** Locks the chain that is next for a worker and returns its key as a subquery's columns; skips locked ones. */
export function nextChain(choice: QueueChoice, most: number): SQL {
  return sql`select f.experiment_id, f.chain,
      extract(epoch from now() - greatest(f.queued_at, f.heartbeat_at))::float8 as waited_seconds
    from (${firstTurns(chains, choice, most)}) n
      join experiment_chains f on f.experiment_id = n.experiment_id and f.chain = n.chain
    where f.state = 'queued'
    order by n.place limit 1 for update of f skip locked`;
}

/** The same for programs. */
export function nextProgram(choice: QueueChoice, most: number): SQL {
  return sql`select n.experiment_id, n.owner_id, n.person_id, null::int as parallel_chains
    from (${firstTurns(programs, choice, most)}) n
      join tasks f on f.kind = 'program' and f.subject_id = n.experiment_id
    where f.state = 'waiting'
    order by n.place limit 1 for update of f skip locked`;
}

/** How many of the first rows to read: more if other workers have locked them all. */
const widths = [16, 256] as const;

/** Takes the first that no other worker has locked. `take` receives how many to read. */
async function takeFirst<T>(
  db: Executor,
  { rows }: Waiting,
  take: (most: number) => Promise<T | null>,
): Promise<T | null> {
  const row = await selectOne<{ n: number }>(
    db,
    sql`select count(*) as n from (select 1 ${rows} limit ${widths[1]}) w`,
  );
  let seen = 0;
  for (const most of widths) {
    if ((row?.n ?? 0) <= seen) return null;
    const taken = await inTurn(() => take(most));
    if (taken !== null) return taken;
    seen = most;
  }
  return null;
}

/** `take` is a transaction that takes the {@link nextChain} of `most` and then its turn. */
export const takeChain = <T>(db: Executor, take: (most: number) => Promise<T | null>) =>
  takeFirst(db, chains, take);
export const takeProgram = <T>(db: Executor, take: (most: number) => Promise<T | null>) =>
  takeFirst(db, programs, take);

/** Attempts when another worker took the last place that a person may have. */
const ATTEMPTS = 5;

/** The owner or person has just reached their limit. */
class TurnLost extends Error {}

/** `take` is a transaction that may throw as `takeTurn` does; null if others were quicker each time. */
async function inTurn<T>(take: () => Promise<T | null>): Promise<T | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof TurnLost)) throw error;
    }
  }
  return null;
}

/** The owner of what was taken, and who started it. */
export interface Turn {
  readonly owner_id: number;
  readonly person_id: number;
  readonly experiment_id: number;
  /** How many of the run may run together; null: all. */
  readonly parallel_chains: number | null;
}

/**
 * Notes a turn of this owner and this person. Throws for {@link inTurn} if another worker has since taken something of
 * theirs, and this would exceed a limit. Other workers that take from them wait until the transaction ends.
 */
export async function takeTurn(tx: Executor, turn: Turn, userChains: number): Promise<void> {
  const { owner_id: ownerId, person_id: personId } = turn;
  // the team before its member, as everywhere, so that two workers cannot deadlock
  const ownersLimit = await noteTurn(tx, ownerId);
  const personsLimit = personId === ownerId ? ownersLimit : await noteTurn(tx, personId);
  const [most, mostOfPerson] = [
    ownersLimit ?? unlimited,
    personsLimit ?? (userChains || unlimited),
  ];
  const { experiment_id: id, parallel_chains: together } = turn;
  if (Math.min(most, mostOfPerson, together ?? unlimited) === unlimited) return;
  const row = await selectOne<{ owners: number; persons: number; together: number }>(
    tx,
    sql`select coalesce(sum(n) filter (where owner_id = ${ownerId}), 0)::int as owners,
          coalesce(sum(n) filter (where person_id = ${personId}), 0)::int as persons,
          (select count(*) from experiment_chains where experiment_id = ${id} and state = 'running') as together
        from (${running}) r`,
  );
  if (row === null || row.owners > most || row.persons > mostOfPerson) throw new TurnLost();
  if (together !== null && row.together > together) throw new TurnLost();
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
 * How many chains workers with free slots would take now, one after another; those held back by limits and
 * `parallel_chains` do not count.
 */
export async function countTakeable(
  db: Executor,
  { pools, userChains }: QueueChoice,
): Promise<number> {
  const room = sql`coalesce(max(c.parallel_chains), ${unlimited}::int) - (
    select count(*) from experiment_chains a where a.experiment_id = c.experiment_id and a.state = 'running')`;
  const rows = await select<TakeableChains>(
    db,
    // waiting chains first: grouped directly, all chains may be read in the order of their runs
    sql`with running as materialized (${running}), waiting as materialized (
          select c.experiment_id, c.owner_id, c.person_id, c.parallel_chains
            ${chains.rows} and ${isServed(pools, sql`c.run_on`)}
        ), runs as materialized (
          select c.owner_id, c.person_id, least(count(*), greatest(0, ${room})) as n
            from waiting c group by c.experiment_id, c.owner_id, c.person_id having ${isThere(chains.id)}
        ), q as (select owner_id, person_id, sum(n)::int as n from runs group by 1, 2)
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

interface TakeableChains extends Pick<Turn, 'owner_id' | 'person_id'> {
  readonly n: number;
  /** How many more may run. */
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

/**
 * People and teams with waiting or running chains, or with a separate share; by name. A team has what it owns, a person
 * what they started, in their own name or a team's: limits count the same way.
 */
export async function listQueueUsers(db: Executor): Promise<QueueUser[]> {
  return select<QueueUser>(
    db,
    sql`with parts as materialized (
          select c.owner_id, c.person_id, c.is_running, c.n from (
              select experiment_id, owner_id, person_id, state = 'running' as is_running, count(*) as n from experiment_chains
                where state = 'running' or state = 'queued' and desired_state = 'run' group by 1, 2, 3, 4
              union all
              select subject_id, owner_id, person_id, state = 'running', 1 from tasks where kind = 'program'
            ) c where ${isThere(chains.id)}
        )
        select u.id, u.name, u.is_team, n.waiting, n.running,
          coalesce(t.weight, 1)::float8 as weight, t.chain_limit
        from (
          select id, sum(waiting)::bigint as waiting, sum(running)::bigint as running from (
            select owner_id as id, n * (not is_running)::int as waiting, n * is_running::int as running from parts
            union all
            select person_id, n * (not is_running)::int, n * is_running::int from parts where person_id <> owner_id
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

/** How much of the machines a person or team may use: see `queue_turns`. */
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
