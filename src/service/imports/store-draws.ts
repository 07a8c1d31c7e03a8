/** Stores the draws of an imported run like those of our own runs: chains, layouts, batches of columns. */
import { memoryColumns } from '../../formats/growing-column.ts';
import type { DrawFilesContent } from '../../formats/read-draw-files.ts';
import { releaseMemory } from '../release-memory.ts';
import type { Executor } from '../repositories/database.ts';
import { ensureLayout, insertDraws } from '../repositories/draws.ts';
import { touchDraws, updateExperiment } from '../repositories/experiments.ts';
import { insertImportedChain } from '../repositories/imports.ts';
import { batchesOf, type DrawsHead, type FedBatch, headOf } from './draws-feed.ts';

/** Values stored before their memory is released: 16 MB, which need several times that in transit. */
const VALUES_A_RELEASE = 2 ** 21;

export interface ImportOrigin {
  readonly fileNames: readonly string[];
}

/** Leaves the experiment at `SAMPLE_FIN`: the finaliser computes counts, summary and verdict from it. */
export function storeDraws(
  tx: Executor,
  experimentId: number,
  content: DrawFilesContent,
  origin: ImportOrigin,
): Promise<void> {
  const head = headOf(content, memoryColumns);
  return storeBatches(
    tx,
    experimentId,
    { head, batches: batchesOf(content, memoryColumns) },
    origin,
  );
}

/** Does the same with batches that arrive one after the other. */
export async function storeBatches(
  tx: Executor,
  experimentId: number,
  {
    head,
    batches,
  }: {
    readonly head: DrawsHead;
    readonly batches: Iterable<FedBatch> | AsyncIterable<FedBatch>;
  },
  { fileNames }: ImportOrigin,
): Promise<void> {
  const { type, columns, chains, settings, notes, leftOut } = head;
  const layoutId = await ensureLayout(tx, experimentId, columns);
  for (const chain of chains) await insertImportedChain(tx, experimentId, chain);
  let passed = 0;
  for await (const batch of batches) {
    await insertDraws(tx, { experimentId, layoutId, ...batch, source: 'import' });
    passed += batch.values.length;
    if (passed < VALUES_A_RELEASE) continue;
    releaseMemory();
    passed = 0;
  }
  await touchDraws(tx, experimentId);
  await updateExperiment(tx, experimentId, {
    status: 'SAMPLE_FIN',
    numChains: chains.length,
    meta: {
      progress: null,
      run_info: { status: 'SAMPLE_FIN' },
      settings: { ...settings, num_chains: chains.length },
      ...(typeof settings.num_samples === 'number'
        ? { iteration_count: Math.max(...chains.map((chain) => chain.savedSamples)) }
        : {}),
      ...(leftOut.length === 0 ? {} : { chains_left_out: leftOut }),
      import: { type, files: fileNames.slice(0, 100), notes: notes.slice(0, 20) },
    },
  });
}
