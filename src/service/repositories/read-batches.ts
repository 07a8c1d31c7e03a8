/** The bytes of some columns of stored draws, batch by batch. */
import type { Phase } from '../../contract/draws.ts';
import { copyRows, readInteger } from './copied-rows.ts';
import { array, type Executor, type SQL, sql, unnest } from './database.ts';

interface BatchChoice {
  readonly experimentId: number;
  readonly phase: Phase;
  /** Batches with an iteration in this range, inclusive; 0: open. */
  readonly from: number;
  readonly to: number;
  readonly layoutId: number;
  readonly chains: readonly number[];
  /** Indices of columns, in ascending order. */
  readonly indices: readonly number[];
}

export interface ReadBatch {
  readonly chain: number;
  readonly firstIteration: number;
  readonly count: number;
  /** Of the chosen columns, one after another. */
  readonly values: Float64Array;
}

/** In any order. */
export async function readBatches(db: Executor, choice: BatchChoice): Promise<ReadBatch[]> {
  const batches = new Map<string, ReadBatch>();
  await copyRows(db, batchQuery(choice), (row, length) => {
    const [chain, firstIteration, count, at] = [0, 1, 2, 3].map((place) =>
      readInteger(row[place] ?? null),
    ) as [number, number, number, number];
    const key = `${chain} ${firstIteration}`;
    let batch = batches.get(key);
    if (batch === undefined) {
      const values = new Float64Array(choice.indices.length * count);
      batch = { chain, firstIteration, count, values };
      batches.set(key, batch);
    }
    return new Uint8Array(batch.values.buffer, at, length);
  });
  return [...batches.values()];
}

/**
 * Bytes of adjacent columns in one row. PostgreSQL copies the bytes of a row several times, and returns the memory of
 * megabytes to the system after each: getting it again takes ten times as long as the copies.
 */
const PIECE_BYTES = 2 ** 16;

/** Rows of chain, first iteration, count, position of these bytes among those of the chosen columns, bytes. */
function batchQuery({
  experimentId,
  phase,
  from,
  to,
  layoutId,
  chains,
  indices,
}: BatchChoice): SQL {
  const phaseName = phase === 'warmup' ? sql`'warmup'` : sql`'sampling'`;
  const { at, bytes, pieces } = cutColumns(indices);
  return sql`select b.chain, b.first_iteration, b.count, ${at} as at, ${bytes} as bytes
    from draw_batches b ${pieces}
    where b.experiment_id = ${experimentId} and b.phase = ${phaseName} and b.layout_id = ${layoutId}
      and b.chain = any(${array(chains, 'integer')})
      ${from > 0 ? sql`and b.first_iteration + b.count > ${from}` : sql``}
      ${to > 0 ? sql`and b.first_iteration <= ${to}` : sql``}`;
}

/** Bytes of some columns of a batch `b`: adjacent ones in pieces, others one after another. */
function cutColumns(indices: readonly number[]): { at: SQL; bytes: SQL; pieces: SQL } {
  const runs: { first: number; columns: number }[] = [];
  for (const index of indices) {
    const last = runs.at(-1);
    if (last !== undefined && index === last.first + last.columns) last.columns += 1;
    else runs.push({ first: index, columns: 1 });
  }
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) {
    const end = sql`${only.columns}::bigint * b.count * 8`;
    return {
      at: sql`p.at`,
      bytes: sql`substring(b.bytes from (${only.first}::bigint * b.count * 8 + p.at + 1)::int
        for least(${PIECE_BYTES}, ${end} - p.at)::int)`,
      pieces: sql`cross join lateral generate_series(0::bigint, ${end} - 1, ${PIECE_BYTES}) p(at)`,
    };
  }
  return {
    at: sql`0`,
    bytes: sql`(select string_agg(${cut(sql`r.first`, sql`r.columns`)}, ''::bytea order by r.place)
      from ${unnest(runs, { first: 'bigint', columns: 'bigint' })} with ordinality r(first, columns, place))`,
    pieces: sql``,
  };
}

const cut = (first: SQL, columns: SQL) =>
  sql`substring(b.bytes from (${first}::bigint * b.count * 8 + 1)::int for (${columns}::bigint * b.count * 8)::int)`;
