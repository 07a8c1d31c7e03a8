/** Joins the many small batches of an ended run into few large ones. */
import { itemAt } from '../../shared/items.ts';
import { releaseMemory } from '../release-memory.ts';
import { type Executor, execute, inTransaction, select, sql } from './database.ts';
import { insertDraws, type Phase, toFloats } from './draws.ts';
import type { Columns } from './tables.ts';

/** Batches are joined up to about this many bytes. In transit, a byte takes four: hexadecimal text, and bytes. */
const COMPACT_BYTES = 2 * 2 ** 20;
/** After reading this many bytes, their memory is released. */
const RELEASE_BYTES = 8 * 2 ** 20;

/**
 * Joins the many small batches of a run into few large ones, so that reading a column reads few rows. Only consecutive
 * batches of one layout are joined; values and places stay.
 */
export async function compactDraws(db: Executor, experimentId: number): Promise<void> {
  const groups = await select<Columns<'draw_batches', 'chain' | 'phase' | 'layout_id'>>(
    db,
    sql`select chain, phase, layout_id from draw_batches where experiment_id = ${experimentId}
        group by chain, phase, layout_id having count(*) > 1`,
  );
  for (const group of groups) {
    await inTransaction(db, (tx) => compactGroup(tx, experimentId, group));
  }
}

async function compactGroup(
  tx: Executor,
  experimentId: number,
  group: { chain: number; phase: Phase; layout_id: number },
): Promise<void> {
  const where = sql`experiment_id = ${experimentId} and chain = ${group.chain} and phase = ${group.phase}
    and layout_id = ${group.layout_id}`;
  const sizes = await select<
    Columns<'draw_batches', 'first_iteration' | 'count'> & { readonly size: number }
  >(
    tx,
    sql`select first_iteration, count, octet_length(bytes) as size from draw_batches where ${where} order by first_iteration`,
  );
  let read = 0;
  for (const run of consecutiveRuns(sizes)) {
    if (run.length < 2) continue;
    read += run.reduce((sum, { size }) => sum + size, 0);
    const first = itemAt(run, 0).first_iteration;
    const last = itemAt(run, run.length - 1).first_iteration;
    const range = sql`${where} and first_iteration between ${first} and ${last}`;
    const rows = await select<
      Columns<'draw_batches', 'count' | 'source'> & { readonly bytes: Buffer }
    >(
      tx,
      sql`select count, bytes, source from draw_batches where ${range} order by first_iteration`,
    );
    const joined = joinBatches(
      rows.map((row) => ({ count: row.count, values: toFloats(row.bytes) })),
    );
    await execute(tx, sql`delete from draw_batches where ${range}`);
    await insertDraws(tx, {
      experimentId,
      chain: group.chain,
      phase: group.phase,
      layoutId: group.layout_id,
      firstIteration: first,
      source: itemAt(rows, 0).source,
      ...joined,
    });
    if (read > RELEASE_BYTES) {
      releaseMemory();
      read = 0;
    }
  }
}

function consecutiveRuns<T extends { first_iteration: number; count: number; size: number }>(
  sizes: readonly T[],
): T[][] {
  const runs: T[][] = [];
  let run: T[] = [];
  let bytes = 0;
  let next = -1;
  for (const size of sizes) {
    if (size.first_iteration !== next || bytes + size.size > COMPACT_BYTES) {
      run = [];
      runs.push(run);
      bytes = 0;
    }
    run.push(size);
    bytes += size.size;
    next = size.first_iteration + size.count;
  }
  return runs;
}

function joinBatches(batches: readonly { count: number; values: Float64Array }[]): {
  count: number;
  values: Float64Array;
} {
  const count = batches.reduce((sum, batch) => sum + batch.count, 0);
  const first = itemAt(batches, 0);
  const numColumns = first.values.length / first.count;
  const values = new Float64Array(numColumns * count);
  let at = 0;
  for (const batch of batches) {
    for (let c = 0; c < numColumns; c++) {
      values.set(batch.values.subarray(c * batch.count, (c + 1) * batch.count), c * count + at);
    }
    at += batch.count;
  }
  return { count, values };
}
