/** Draws: float64 columns in batches, written once per iteration, read column by column. */
import { createHash } from 'node:crypto';
import type { Phase } from '../../contract/draws.ts';
import type { ProgramBlock } from '../../posterior/variable-kinds.ts';
import { type Executor, execute, json, prepared, select, selectOne, sql } from './database.ts';
import { readBatches } from './read-batches.ts';
import type { Columns } from './tables.ts';

export type { Phase };

export interface DrawColumn {
  /** Flat name: `theta[1,2]`. */
  readonly name: string;
  /** True for the columns of the sampler itself (`lp__`, `stepsize__`, …), which are not variables of the program. */
  readonly sampler?: boolean;
  /** Values are integers; `bool` for a runner's true and false. */
  readonly type?: 'int' | 'bool';
  /** The bounds that the program declares, if they are the same for all draws; unknown for outside draws. */
  readonly lower?: number;
  readonly upper?: number;
  /** The block of the program that declares it; unknown for outside draws. */
  readonly block?: ProgramBlock;
}

/** The layout with these columns; a new one is created. */
export async function ensureLayout(
  db: Executor,
  experimentId: number,
  columns: readonly DrawColumn[],
): Promise<number> {
  const text = JSON.stringify(columns);
  const hash = createHash('sha256').update(text).digest();
  const find = sql`select id from draw_layouts where experiment_id = ${experimentId} and hash = ${hash}`;
  const found = await selectOne<Columns<'draw_layouts', 'id'>>(db, find);
  if (found !== null) return found.id;
  await execute(
    db,
    sql`insert into draw_layouts (experiment_id, hash, columns) values (${experimentId}, ${hash}, ${json(columns)})
        on conflict (experiment_id, hash) do nothing`,
  );
  return (
    (await selectOne<Columns<'draw_layouts', 'id'>>(db, find)) as Columns<'draw_layouts', 'id'>
  ).id;
}

/** Consecutive saved draws of one phase of one chain. */
export interface DrawBatch {
  readonly experimentId: number;
  readonly chain: number;
  readonly phase: Phase;
  readonly layoutId: number;
  /** From 1 within the phase. */
  readonly firstIteration: number;
  readonly count: number;
  /** `count` values per column, column after column, in the layout's order. */
  readonly values: Float64Array;
  readonly source?: string;
}

/** Adds a batch that overlaps no other; adding the same one again changes nothing. */
export async function insertDraws(tx: Executor, batch: DrawBatch): Promise<void> {
  const { values } = batch;
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  await execute(
    tx,
    sql`insert into draw_batches (experiment_id, chain, phase, layout_id, first_iteration, count, source, bytes)
        values (${batch.experimentId}, ${batch.chain}, ${batch.phase}, ${batch.layoutId}, ${batch.firstIteration},
                ${batch.count}, ${batch.source ?? ''}, ${bytes})
        on conflict do nothing`,
  );
}

/** At most this many values per stored piece of a merged batch: 8 MiB. */
const MERGED_VALUES = 2 ** 20;

/**
 * Adds the part of a batch that is missing: repeats, overlaps and wrong order change nothing. The caller has locked the
 * chain's row. Returns how many iterations were new.
 */
export async function mergeDraws(tx: Executor, batch: DrawBatch): Promise<number> {
  const { experimentId, chain, phase, layoutId, firstIteration } = batch;
  const last = firstIteration + batch.count - 1;
  const where = sql`experiment_id = ${experimentId} and chain = ${chain} and phase = ${phase} and layout_id = ${layoutId}`;
  // Batches of one layout never overlap, so only the last that begins before this one can reach into it.
  const there = await select<Columns<'draw_batches', 'first_iteration' | 'count'>>(
    tx,
    sql`select first_iteration, count from draw_batches
        where ${where} and first_iteration <= ${last} and first_iteration >= coalesce(
          (select max(first_iteration) from draw_batches where ${where} and first_iteration <= ${firstIteration}), 0)
        order by first_iteration`,
  );
  const most = Math.max(1, Math.floor((MERGED_VALUES * batch.count) / batch.values.length));
  let added = 0;
  let next = firstIteration;
  const addUntil = async (end: number) => {
    for (; next <= end; next += most) {
      const count = Math.min(most, end - next + 1);
      await insertDraws(tx, sliceBatch(batch, next, count));
      added += count;
    }
  };
  for (const { first_iteration: first, count } of there) {
    await addUntil(first - 1);
    next = Math.max(firstIteration, first + count);
  }
  await addUntil(last);
  return added;
}

function sliceBatch(batch: DrawBatch, firstIteration: number, count: number): DrawBatch {
  if (count === batch.count) return batch;
  const numColumns = batch.values.length / batch.count;
  const values = new Float64Array(numColumns * count);
  const skip = firstIteration - batch.firstIteration;
  for (let c = 0; c < numColumns; c++) {
    const from = c * batch.count + skip;
    values.set(batch.values.subarray(from, from + count), c * count);
  }
  return { ...batch, firstIteration, count, values };
}

/** The columns that a chain's batches have, in their order. */
export interface DrawLayout extends Columns<'draw_layouts', 'id'> {
  readonly columns: readonly DrawColumn[];
}

export function listLayouts(db: Executor, experimentId: number): Promise<DrawLayout[]> {
  return select<DrawLayout>(
    db,
    sql`select id, columns from draw_layouts where experiment_id = ${experimentId} order by id`,
  );
}

/** Every column of the experiment once, in the order of first appearance. */
export async function listColumns(db: Executor, experimentId: number): Promise<DrawColumn[]> {
  const byName = new Map<string, DrawColumn>();
  for (const layout of await listLayouts(db, experimentId)) {
    for (const column of layout.columns)
      if (!byName.has(column.name)) byName.set(column.name, column);
  }
  return [...byName.values()];
}

export interface ChainBounds {
  readonly chain: number;
  readonly name: string;
  /** The chain whose warmup it started from; null: it warmed up itself. */
  readonly warmed_by: number | null;
  /** Last stored iteration of each phase; 0: none. */
  readonly warmup: number;
  readonly sampling: number;
}

/** How far each chain's draws reach: stored by a share. */
export async function listBounds(db: Executor, experimentId: number): Promise<ChainBounds[]> {
  return select<ChainBounds>(
    db,
    sql`select c.chain, c.name, c.warmed_by,
          coalesce(max(b.first_iteration + b.count - 1) filter (where b.phase = 'warmup'), 0) as warmup,
          coalesce(max(b.first_iteration + b.count - 1) filter (where b.phase = 'sampling'), 0) as sampling
        from experiment_chains c
          left join draw_batches b on b.experiment_id = c.experiment_id and b.chain = c.chain
        where c.experiment_id = ${experimentId} group by c.chain, c.name, c.warmed_by order by c.chain`,
  );
}

export interface DrawsRequest {
  readonly experimentId: number;
  /** Flat names; null: all columns. */
  readonly variables?: readonly string[] | null;
  /** Names (`chain#1`); null: all. */
  readonly chains?: readonly string[] | null;
  readonly phase?: Phase;
  /** Inclusive, from 1 within the phase; 0 or absent: open. */
  readonly from?: number;
  readonly to?: number;
  /** For many requests in a row: those of the experiment; absent, they are read. */
  readonly layouts?: readonly DrawLayout[];
}

/** Values of one variable in one chain without a gap. A chain with gaps has several segments. */
export interface DrawSegment {
  readonly chain: number;
  readonly name: string;
  readonly variable: string;
  readonly phase: Phase;
  readonly firstIteration: number;
  readonly values: Float64Array;
}

/**
 * Segments by chain, then variable in the requested order, then iteration. Reads only the columns needed. Segments may
 * share memory.
 */
export async function readDraws(db: Executor, request: DrawsRequest): Promise<DrawSegment[]> {
  const { experimentId, variables = null, phase = 'sampling', from = 0, to = 0 } = request;
  const layouts = request.layouts ?? (await listLayouts(db, experimentId));
  const wanted = variables ?? [
    ...new Set(layouts.flatMap((layout) => layout.columns.map((column) => column.name))),
  ];
  const places = new Map(wanted.map((name, i) => [name, i]));
  const chains = await listNames(db, request);
  /** By chain, then by the place of the variable. */
  const pieces = new Map<number, Piece[][]>();
  for (const layout of chains.size === 0 ? [] : layouts) {
    const hits = layout.columns.flatMap(({ name }, index) => {
      const place = places.get(name);
      return place === undefined ? [] : [{ place, index }];
    });
    if (hits.length === 0) continue;
    const batches = await readBatches(db, {
      experimentId,
      phase,
      from,
      to,
      layoutId: layout.id,
      chains: [...chains.keys()],
      indices: hits.map(({ index }) => index),
    });
    for (const { chain, firstIteration, count, values } of batches) {
      const byPlace = pieces.get(chain) ?? wanted.map(() => []);
      pieces.set(chain, byPlace);
      hits.forEach(({ place }, k) => {
        const own = values.subarray(k * count, (k + 1) * count);
        const piece = cutPiece({ firstIteration, values: own, from, to });
        if (piece !== null) byPlace[place]?.push(piece);
      });
    }
  }
  return [...pieces]
    .sort(([a], [b]) => a - b)
    .flatMap(([chain, byPlace]) => {
      const name = chains.get(chain) as string;
      return joinPieces(byPlace).map(({ place, ...piece }) => ({
        chain,
        name,
        variable: wanted[place] as string,
        phase,
        ...piece,
      }));
    });
}

/** The requested chains, by number. */
async function listNames(
  db: Executor,
  { experimentId, chains }: DrawsRequest,
): Promise<Map<number, string>> {
  const rows = await select<Columns<'experiment_chains', 'chain' | 'name'>>(
    db,
    prepared(sql`select chain, name from experiment_chains where experiment_id = ${experimentId}`),
  );
  const isAsked = (name: string) => !chains || chains.includes(name);
  return new Map(rows.flatMap(({ chain, name }) => (isAsked(name) ? [[chain, name]] : [])));
}

interface Piece {
  readonly firstIteration: number;
  readonly values: Float64Array;
}

/** A view of the bytes if they are aligned, otherwise a copy. */
export function toFloats(bytes: Uint8Array): Float64Array {
  if (bytes.byteOffset % 8 === 0)
    return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
  return new Float64Array(Uint8Array.prototype.slice.call(bytes).buffer);
}

function cutPiece({
  firstIteration,
  values,
  from,
  to,
}: Piece & { from: number; to: number }): Piece | null {
  const begin = Math.max(0, from - firstIteration);
  const end = to > 0 ? Math.min(values.length, to - firstIteration + 1) : values.length;
  if (end <= begin) return null;
  return { firstIteration: firstIteration + begin, values: values.subarray(begin, end) };
}

interface PieceGroup {
  readonly place: number;
  readonly firstIteration: number;
  readonly parts: Float64Array[];
}

/** Joins the adjacent pieces at each place, all in one memory. */
function joinPieces(byPlace: readonly Piece[][]): (Piece & { readonly place: number })[] {
  const groups = byPlace.flatMap(groupAdjacent);
  const sizes = groups.map(({ parts }) =>
    parts.length === 1 ? 0 : parts.reduce((sum, part) => sum + part.length, 0),
  );
  const memory = new Float64Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  return groups.map(({ place, firstIteration, parts }) => {
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return { place, firstIteration, values: only };
    const start = at;
    for (const part of parts) {
      memory.set(part, at);
      at += part.length;
    }
    return { place, firstIteration, values: memory.subarray(start, at) };
  });
}

/** If pieces overlap, the earlier one takes precedence. */
function groupAdjacent(pieces: Piece[], place: number): PieceGroup[] {
  pieces.sort((a, b) => a.firstIteration - b.firstIteration);
  const groups: PieceGroup[] = [];
  let end = 0;
  for (const { firstIteration, values } of pieces) {
    const group = groups.at(-1);
    const last = firstIteration + values.length - 1;
    if (group !== undefined && last <= end) continue;
    if (group !== undefined && firstIteration <= end + 1)
      group.parts.push(values.subarray(Math.max(0, end + 1 - firstIteration)));
    else groups.push({ place, firstIteration, parts: [values] });
    end = last;
  }
  return groups;
}

export async function removeWarmupDraws(tx: Executor, experimentId: number): Promise<number> {
  return execute(
    tx,
    sql`delete from draw_batches where experiment_id = ${experimentId} and phase = 'warmup'`,
  );
}
