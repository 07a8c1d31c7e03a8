/**
 * The places of an outside runner's iterations in a chain. Each source (batch and run) counts from 1; the chain is
 * their stretches one after another, and no place belongs to two sources.
 */
import { array, type Executor, execute, select, selectCount, sql } from './database.ts';

/** From its own iteration `from` on, the source's draws are `offset` places further in the chain. */
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
  /** Of the chain, as they are now; new ones are appended. */
  readonly stretches: Stretch[];
  readonly source: string;
  /** First and last iteration of the source. */
  readonly first: number;
  readonly last: number;
}

/**
 * Places of a source's iterations, the same at each request. A source that is new in the chain begins after everything
 * stored; one that runs into another's stretch continues after it. The caller has locked the chain's row.
 */
export async function placeIterations(tx: Executor, request: PlaceRequest): Promise<Placed[]> {
  const { experimentId, chain, stretches, source, first, last } = request;
  const placed: Placed[] = [];
  const begin = async (from: number) => {
    const ends = placed.map(({ place, count }) => place + count - 1);
    const offset = Math.max(await findEnd(tx, experimentId, chain), ...ends) - (from - 1);
    await insertStretch(tx, request, { source, from, offset });
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

async function insertStretch(
  tx: Executor,
  { experimentId, chain, stretches }: Omit<PlaceRequest, 'source' | 'first' | 'last'>,
  stretch: Stretch,
): Promise<void> {
  const { source, from, offset } = stretch;
  await execute(
    tx,
    sql`insert into runner_offsets (experiment_id, chain, source, from_iteration, "offset")
        values (${experimentId}, ${chain}, ${source}, ${from}, ${offset})
        on conflict (experiment_id, chain, source, from_iteration) do update set "offset" = excluded."offset"`,
  );
  const known = stretches.findIndex((one) => one.source === source && one.from === from);
  if (known >= 0) stretches.splice(known, 1);
  stretches.push(stretch);
}

/** Whether another source has the same stretch: this one repeated the other's draws, and continues it. */
function isShared(stretches: readonly Stretch[], { source, from, offset }: Stretch): boolean {
  return stretches.some(
    (other) => other.source !== source && other.from === from && other.offset === offset,
  );
}

/** Places of iterations as far as they are known without a new stretch. */
function knownPlaces(
  stretches: readonly Stretch[],
  source: string,
  { first, last }: { readonly first: number; readonly last: number },
): Placed[] {
  const placed: Placed[] = [];
  const begins = stretches.some((one) => one.source === source && one.from <= first);
  for (let iteration = first; begins && iteration <= last; ) {
    const stretch = stretchOf(stretches, source, iteration);
    const count = Math.min(last, roomOf(stretches, stretch)) - iteration + 1;
    if (count <= 0) break;
    placed.push({ iteration, count, place: iteration + stretch.offset });
    iteration += count;
  }
  return placed;
}

/** How a message's draws of a chain compare with those that other sources stored at these places. */
export interface Compared {
  /** Iterations that are in both. */
  readonly both: number;
  /** The message's first iteration whose values differ from the stored ones; null: none. */
  readonly differsFrom: number | null;
}

/** How many of a chain's sources a new one is compared with, starting with the latest. */
const MOST_COMPARED = 8;

/**
 * A restarted runner may send its draws again under other ids. If all draws of a new source that overlap another's
 * iterations are equal to them, it continues that one's numbering; where it differs later, it begins after everything
 * stored. Draws that differ are never taken for the same, so nothing is lost.
 */
export async function recogniseSource(
  tx: Executor,
  request: PlaceRequest,
  compare: (places: readonly Placed[]) => Promise<Compared>,
): Promise<void> {
  const { stretches, source } = request;
  const own = stretches.filter((stretch) => stretch.source === source);
  if (own.length > 0) {
    if (!own.some((stretch) => isShared(stretches, stretch))) return;
    const { differsFrom: from } = await compare(knownPlaces(stretches, source, request));
    if (from === null) return;
    const end = await findEnd(tx, request.experimentId, request.chain);
    await insertStretch(tx, request, { source, from, offset: end - (from - 1) });
    return;
  }
  const latestFirst = [...stretches].sort((a, b) => b.from + b.offset - (a.from + a.offset));
  const others = new Set(latestFirst.map((stretch) => stretch.source));
  for (const other of [...others].slice(0, MOST_COMPARED)) {
    const { both, differsFrom } = await compare(knownPlaces(stretches, other, request));
    if (both === 0 || differsFrom !== null) continue;
    for (const stretch of stretches.filter((one) => one.source === other))
      await insertStretch(tx, request, { ...stretch, source });
    return;
  }
}

/** The source's stretch that contains an iteration: the last that begins at or before it. */
function stretchOf(stretches: readonly Stretch[], source: string, iteration: number): Stretch {
  const own = stretches.filter((stretch) => stretch.source === source && stretch.from <= iteration);
  return own.reduce((latest, stretch) => (stretch.from > latest.from ? stretch : latest));
}

/**
 * The source's last iteration that fits: before its own next stretch, or before the place where another's begins. A
 * stretch that begins where this one does is empty and older.
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

/** The last place of a chain that has a draw. */
async function findEnd(tx: Executor, experimentId: number, chain: number): Promise<number> {
  return selectCount(
    tx,
    sql`select coalesce(max(first_iteration + count - 1), 0) as "end" from draw_batches
        where experiment_id = ${experimentId} and chain = ${chain} and phase = 'sampling'`,
  );
}
