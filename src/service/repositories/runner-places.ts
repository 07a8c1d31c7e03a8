/**
 * Where the iterations of an outside runner stand in a chain. Each source (batch and run) counts from 1; the chain is
 * their stretches one behind the other, and no place belongs to two sources.
 */
import { array, type Executor, execute, select, selectOne, sql } from './database.ts';

/** From its own iteration `from` on, the source's draws stand `offset` further in the chain. */
export interface Stretch {
  readonly source: string;
  readonly from: number;
  readonly offset: number;
}

/** Consecutive iterations of a message and the place in the chain of the first. */
export interface Placed {
  /** Of the source. */
  readonly iteration: number;
  readonly count: number;
  /** In the chain, from 1. */
  readonly place: number;
}

/** The stretches of these chains, by chain. */
export async function listStretches(
  db: Executor,
  experimentId: number,
  chains: readonly number[],
): Promise<Map<number, Stretch[]>> {
  const rows = await select<Stretch & { chain: number }>(
    db,
    sql`select chain, source, from_iteration as "from", "offset" from runner_offsets
        where experiment_id = ${experimentId} and chain = any(${array(chains, 'integer')})`,
  );
  const byChain = new Map(chains.map((chain): [number, Stretch[]] => [chain, []]));
  for (const { chain, ...stretch } of rows) byChain.get(chain)?.push(stretch);
  return byChain;
}

export interface PlaceRequest {
  readonly experimentId: number;
  readonly chain: number;
  /** Of the chain, as they are now; new ones are added. */
  readonly stretches: Stretch[];
  readonly source: string;
  /** First and last iteration of the source. */
  readonly first: number;
  readonly last: number;
}

/**
 * Places of a source's iterations, the same whenever they are asked for again. A source that is new on the chain begins
 * behind everything stored; one that runs into another's stretch continues behind it. The caller holds the chain's row.
 */
export async function placeIterations(tx: Executor, request: PlaceRequest): Promise<Placed[]> {
  const { experimentId, chain, stretches, source, first, last } = request;
  const placed: Placed[] = [];
  const begin = async (from: number) => {
    const ends = placed.map(({ place, count }) => place + count - 1);
    const offset = Math.max(await findEnd(tx, experimentId, chain), ...ends) - (from - 1);
    await execute(
      tx,
      sql`insert into runner_offsets (experiment_id, chain, source, from_iteration, "offset")
          values (${experimentId}, ${chain}, ${source}, ${from}, ${offset})`,
    );
    stretches.push({ source, from, offset });
  };
  if (!stretches.some((stretch) => stretch.source === source)) await begin(1);
  for (let iteration = first; iteration <= last; ) {
    const stretch = stretchOf(stretches, source, iteration);
    const room = roomOf(stretches, stretch);
    if (iteration > room) {
      await begin(room + 1);
      continue;
    }
    const count = Math.min(last, room) - iteration + 1;
    placed.push({ iteration, count, place: iteration + stretch.offset });
    iteration += count;
  }
  return placed;
}

/** The source's stretch that an iteration falls into: the last that begins at or before it. */
function stretchOf(stretches: readonly Stretch[], source: string, iteration: number): Stretch {
  const own = stretches.filter((stretch) => stretch.source === source && stretch.from <= iteration);
  return own.reduce((latest, stretch) => (stretch.from > latest.from ? stretch : latest));
}

/**
 * The source's last iteration that fits: until its own next stretch begins, or the place where another's does. A stretch
 * that begins where this one does is empty and older.
 */
function roomOf(stretches: readonly Stretch[], stretch: Stretch): number {
  const start = stretch.from + stretch.offset;
  let room = Number.MAX_SAFE_INTEGER;
  for (const other of stretches) {
    const otherStart = other.from + other.offset;
    if (other.source === stretch.source && other.from > stretch.from)
      room = Math.min(room, other.from - 1);
    if (otherStart > start) room = Math.min(room, otherStart - 1 - stretch.offset);
  }
  return room;
}

/** The last place of a chain that holds a draw. */
async function findEnd(tx: Executor, experimentId: number, chain: number): Promise<number> {
  const row = await selectOne<{ end: number }>(
    tx,
    sql`select coalesce(max(first_iteration + count - 1), 0) as "end" from draw_batches
        where experiment_id = ${experimentId} and chain = ${chain} and phase = 'sampling'`,
  );
  return row?.end ?? 0;
}
