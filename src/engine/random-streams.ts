/** The random streams of a chain: one per purpose, so that the use of one never shifts another. */

import type { Rng } from '../math/random/rng.ts';
import { createRng, type RngPurpose, rngFromState } from '../math/random/xoshiro.ts';

export type StreamPurpose =
  | 'inits'
  | 'transition'
  | 'generated'
  | 'generated-warmup'
  | 'transformed-data'
  | 'fit'
  | 'fit-draws'
  | 'simulation';

/** Each stream is seeded with its name: another name gives other draws, so change none without `engineVersion`. */
const names: Readonly<Record<StreamPurpose, RngPurpose>> = {
  inits: 'inits',
  transition: 'sampler',
  generated: 'generated quantities',
  'generated-warmup': 'generated quantities of warmup',
  'transformed-data': 'transformed data',
  fit: 'approximation',
  'fit-draws': 'draws of an approximation',
  simulation: 'simulated data',
};

/** `chain`: 1-based; 0 for what all chains of a run share. */
export function openStream(seed: number, chain: number, purpose: StreamPurpose): Rng {
  return createRng(seed, chain, names[purpose]);
}

/** The stream whose `state()` was `state`. */
export function restoreStream(state: readonly number[]): Rng {
  return rngFromState(state);
}
