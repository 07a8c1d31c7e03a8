/** Draws that were read, in the form they are stored: facts about the run and its chains, then batches in order. */
import type { ColumnStore, NumberColumn } from '../../formats/growing-column.ts';
import type { ImportedChain, ImportedDraws, ImportType } from '../../formats/imported-draws.ts';
import type { DrawFilesContent } from '../../formats/read-draw-files.ts';
import type { DrawBatch, DrawColumn } from '../repositories/draws.ts';
import type { NewImportedChain } from '../repositories/imports.ts';

export interface DrawsHead {
  readonly type: ImportType;
  readonly columns: readonly DrawColumn[];
  /** Numbered from 1 in order. */
  readonly chains: readonly NewImportedChain[];
  readonly settings: Readonly<Record<string, number | string | boolean>>;
  readonly notes: readonly string[];
  /** Names of chains that are not judged; empty if none would be left. */
  readonly leftOut: readonly string[];
  /** Total of all batches. */
  readonly numValues: number;
}

export type FedBatch = Pick<DrawBatch, 'chain' | 'phase' | 'firstIteration' | 'count' | 'values'>;

/** Values of one batch: 8 MiB, like the batches that compaction makes. */
const BATCH_VALUES = 2 ** 20;

export function headOf<C extends NumberColumn<C>>(
  { type, draws }: DrawFilesContent<C>,
  store: ColumnStore<C>,
): DrawsHead {
  const chains = draws.chains.map((chain, index) => ({
    chain: index + 1,
    ...describeChain(chain, draws, store),
  }));
  const marked = draws.chains.filter((chain) => chain.leftOut === true).map(({ name }) => name);
  const leftOut = marked.length < chains.length ? marked : [];
  const rows = chains.reduce((sum, chain) => sum + chain.savedWarmup + chain.savedSamples, 0);
  return {
    type,
    columns: draws.columns.map(plainColumn),
    chains,
    settings: draws.settings,
    notes: [
      ...draws.notes,
      ...leftOut.map((name) => `${name} is left out of summary and verdict, as in the files.`),
    ],
    leftOut,
    numValues: rows * draws.columns.length,
  };
}

export function* batchesOf<C extends NumberColumn<C>>(
  { draws }: DrawFilesContent<C>,
  store: ColumnStore<C>,
): Generator<FedBatch> {
  for (const [index, chain] of draws.chains.entries())
    for (const phase of ['warmup', 'sampling'] as const) {
      const columns = phase === 'warmup' ? chain.warmup : chain.draws;
      const total = numRows(columns);
      const most = Math.max(1, Math.floor(BATCH_VALUES / columns.length));
      for (let from = 0; from < total; from += most) {
        const count = Math.min(most, total - from);
        const values = new Float64Array(count * columns.length);
        for (const [c, column] of columns.entries())
          values.set(store.load(column.subarray(from, from + count)), c * count);
        yield { chain: index + 1, phase, firstIteration: from + 1, count, values };
      }
    }
}

const plainColumn = ({ name, sampler, type }: DrawColumn): DrawColumn => ({
  name,
  ...(sampler === true ? { sampler } : {}),
  ...(type === undefined ? {} : { type }),
});

/** All columns of a chain have the same length. */
const numRows = (columns: readonly { readonly length: number }[]): number =>
  columns[0]?.length ?? 0;

function describeChain<C extends NumberColumn<C>>(
  chain: ImportedChain<C>,
  { columns, settings }: ImportedDraws<C>,
  store: ColumnStore<C>,
): Omit<NewImportedChain, 'chain'> {
  const count = (name: string, isCounted: (value: number) => boolean): number => {
    const column = chain.draws[columns.findIndex((one) => one.name === name)];
    if (column === undefined) return 0;
    return store.load(column).reduce((sum, value) => sum + (isCounted(value) ? 1 : 0), 0);
  };
  const limit = settings.max_treedepth;
  const hasDepths = columns.some((column) => column.name === 'treedepth__');
  const { name, stepSize, warmupSeconds, samplingSeconds } = chain;
  return {
    name,
    savedWarmup: numRows(chain.warmup),
    savedSamples: numRows(chain.draws),
    divergences: count('divergent__', (flag) => flag !== 0),
    treedepthHits:
      typeof limit === 'number' && hasDepths
        ? count('treedepth__', (depth) => depth >= limit)
        : null,
    stepSize,
    warmupSeconds,
    samplingSeconds,
  };
}
