/** Stores the draws of an imported run as those of our own runs are stored: chains, layouts, batches of columns. */

import type { ImportedChain, ImportedDraws } from '../../formats/imported-draws.ts';
import type { DrawFilesContent } from '../../formats/read-draw-files.ts';
import { itemAt } from '../../shared/items.ts';
import type { Executor } from '../repositories/database.ts';
import { type DrawColumn, ensureLayout, insertDraws, type Phase } from '../repositories/draws.ts';
import { touchDraws, updateExperiment } from '../repositories/experiments.ts';
import { insertImportedChain } from '../repositories/imports.ts';

/** Values of one batch: 8 MiB, as compaction makes them. */
const BATCH_VALUES = 2 ** 20;

export interface ImportOrigin {
  readonly fileNames: readonly string[];
}

/** Leaves the experiment `SAMPLE_FIN`: the finaliser makes counts, summary and verdict of it. */
export async function storeDraws(
  tx: Executor,
  experimentId: number,
  { type, draws }: DrawFilesContent,
  { fileNames }: ImportOrigin,
): Promise<void> {
  const layoutId = await ensureLayout(tx, experimentId, draws.columns.map(plainColumn));
  for (const [index, chain] of draws.chains.entries()) {
    const number = index + 1;
    await insertImportedChain(tx, experimentId, { chain: number, ...describeChain(chain, draws) });
    const place = { experimentId, chain: number, layoutId };
    await insertColumns(tx, { ...place, phase: 'warmup' }, chain.warmup);
    await insertColumns(tx, { ...place, phase: 'sampling' }, chain.draws);
  }
  await touchDraws(tx, experimentId);
  const { num_samples: asked } = draws.settings;
  await updateExperiment(tx, experimentId, {
    status: 'SAMPLE_FIN',
    numChains: draws.chains.length,
    meta: {
      run_info: { status: 'SAMPLE_FIN' },
      settings: { ...draws.settings, num_chains: draws.chains.length },
      ...(typeof asked === 'number' ? { iteration_count: savedIterations(draws) } : {}),
      import: { type, files: fileNames.slice(0, 100), notes: draws.notes.slice(0, 20) },
    },
  });
}

const plainColumn = ({ name, sampler, type }: DrawColumn): DrawColumn => ({
  name,
  ...(sampler === true ? { sampler } : {}),
  ...(type === undefined ? {} : { type }),
});

const savedIterations = ({ chains }: ImportedDraws): number =>
  Math.max(...chains.map((chain) => numRows(chain.draws)));

/** All columns of a chain are of one length. */
const numRows = (columns: readonly Float64Array[]): number => itemAt(columns, 0).length;

function describeChain(chain: ImportedChain, { columns, settings }: ImportedDraws) {
  const valuesOf = (name: string): Float64Array => {
    const index = columns.findIndex((column) => column.name === name);
    return index === -1 ? new Float64Array(0) : itemAt(chain.draws, index);
  };
  const limit = settings.max_treedepth;
  const hasDepths = columns.some((column) => column.name === 'treedepth__');
  const { name, stepSize, warmupSeconds, samplingSeconds } = chain;
  return {
    name,
    savedWarmup: numRows(chain.warmup),
    savedSamples: numRows(chain.draws),
    divergences: valuesOf('divergent__').reduce((sum, flag) => sum + (flag === 0 ? 0 : 1), 0),
    treedepthHits:
      typeof limit === 'number' && hasDepths
        ? valuesOf('treedepth__').reduce((sum, depth) => sum + (depth >= limit ? 1 : 0), 0)
        : null,
    stepSize,
    warmupSeconds,
    samplingSeconds,
  };
}

async function insertColumns(
  tx: Executor,
  place: { experimentId: number; chain: number; layoutId: number; phase: Phase },
  columns: readonly Float64Array[],
): Promise<void> {
  const total = numRows(columns);
  const most = Math.max(1, Math.floor(BATCH_VALUES / columns.length));
  for (let from = 0; from < total; from += most) {
    const count = Math.min(most, total - from);
    const values = new Float64Array(count * columns.length);
    for (const [c, column] of columns.entries())
      values.set(column.subarray(from, from + count), c * count);
    await insertDraws(tx, { ...place, firstIteration: from + 1, count, values, source: 'import' });
  }
}
