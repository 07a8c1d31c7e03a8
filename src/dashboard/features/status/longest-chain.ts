import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { drawsByChain } from './draw-counts.ts';

/** Draws of the chain that has most. */
export function longestChain(experiment: Experiment, summary: Summary | null = null): number {
  const counts = drawsByChain(experiment, summary);
  return counts === null ? experiment.n_samples : Math.max(0, ...counts.values());
}
