/** Effective sample sizes as functions of the number of draws, of the quantile, and over small intervals. */
import {
  alignChains,
  type ChainDraws,
  countNonFinite,
  type FlatChains,
  splitChains,
} from './draws.ts';
import { essBulk, essOfChains, essOfIndicator, essTail } from './ess.ts';
import { sortDraws } from './order.ts';
import { quantileOfSorted } from './quantile.ts';

export interface EssGrowth {
  /** Draws used per chain. */
  readonly numDraws: Float64Array;
  readonly bulk: Float64Array;
  readonly tail: Float64Array;
}

/**
 * Bulk and tail ESS of the first part of the chains, in `points` steps of equal size up to all draws. In chains that
 * mix, both grow in proportion to the draws. Source: Vehtari et al. 2021, arXiv 1903.08008, section 5.
 */
export function essGrowth(chains: ChainDraws, points = 20): EssGrowth {
  const { values, numChains, length } = alignChains(chains);
  const count = Math.min(points, length);
  const numDraws = Float64Array.from({ length: count }, (_, i) =>
    Math.floor(((i + 1) * length) / count),
  );
  const part = (draws: number) =>
    Array.from({ length: numChains }, (_, chain) =>
      values.subarray(chain * length, chain * length + draws),
    );
  return {
    numDraws,
    bulk: numDraws.map((draws) => essBulk(part(draws))),
    tail: numDraws.map((draws) => essTail(part(draws))),
  };
}

/** ESS of each quantile in `probabilities`; NaN throughout if a draw is not finite. */
export function essOfQuantiles(chains: ChainDraws, probabilities: readonly number[]): Float64Array {
  if (countNonFinite(chains) > 0) return new Float64Array(probabilities.length).fill(NaN);
  const aligned = alignChains(chains);
  const sorted = Float64Array.from(aligned.values).sort();
  const split = splitChains(aligned);
  const inOrder = sortDraws(split.values);
  return Float64Array.from(probabilities, (probability) =>
    essOfIndicator(split, inOrder, quantileOfSorted(sorted, probability)),
  );
}

/**
 * Local ESS: of the indicator that a draw lies between two neighbours of `count` even quantiles, from the lowest
 * interval to the highest. Source: Vehtari et al. 2021, section 4.3 (efficiency of small-interval probabilities).
 */
export function essOfIntervals(chains: ChainDraws, count = 20): Float64Array {
  if (countNonFinite(chains) > 0) return new Float64Array(count).fill(NaN);
  const aligned = alignChains(chains);
  const sorted = Float64Array.from(aligned.values).sort();
  const split = splitChains(aligned);
  return Float64Array.from({ length: count }, (_, i) => {
    const low = i === 0 ? -Infinity : quantileOfSorted(sorted, i / count);
    return essOfInterval(split, low, quantileOfSorted(sorted, (i + 1) / count));
  });
}

/** ESS of the indicator low < x ≤ high over split chains. */
function essOfInterval(split: FlatChains, low: number, high: number): number {
  return essOfChains({
    ...split,
    values: split.values.map((value) => (value > low && value <= high ? 1 : 0)),
  });
}
