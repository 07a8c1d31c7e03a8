/** Shared by chains that write a few rows and are not continued: a lost one starts over. */
import { encodeFloats, type FitCheckpoint, fitVersion, nothingTallied } from './checkpoint.ts';
import type { ChainProgress } from './events.ts';
import type { ChainRequest } from './machine.ts';

/** Nothing is continued from it. `done`: rows so far. */
export function oneOffCheckpoint(
  { chain, settings }: ChainRequest,
  { numColumns, done }: { readonly numColumns: number; readonly done: number },
): FitCheckpoint {
  const state = encodeFloats([]);
  return {
    fitVersion,
    seed: settings.seed,
    chain,
    numColumns,
    settings: '',
    iteration: done,
    rng: { draws: state, generated: state },
    warmupDraws: 0,
    samplingDraws: done,
    warmupSeconds: 0,
    samplingSeconds: 0,
  };
}

export function oneOffProgress(chain: number, done: number, of: number): ChainProgress {
  return {
    chain,
    phase: 'sampling',
    iteration: done,
    of,
    stepSize: Number.NaN,
    ...nothingTallied,
  };
}
