/** The rank-normalised split R-hat. */
import { sampleVariance } from './autocovariance.ts';
import {
  alignChains,
  type ChainDraws,
  countNonFinite,
  type FlatChains,
  splitChains,
} from './draws.ts';
import { rankNormalise } from './ess.ts';
import { medianOfSorted } from './quantile.ts';

/**
 * √((B/W + n − 1)/n) over chains taken as they are; NaN for one chain, fewer than two draws, or no variance within
 * and between. Chains that stand still at different values give ∞, or what rounding leaves of it.
 * Source: Vehtari et al. 2021, arXiv 1903.08008, eq. 1–4.
 */
export function rhatOfChains(chains: FlatChains): number {
  const { values, numChains, length } = chains;
  const means = new Float64Array(numChains);
  let within = 0;
  for (let chain = 0; chain < numChains; chain++) {
    const from = chain * length;
    let sum = 0;
    for (let i = from; i < from + length; i++) sum += values[i];
    const mean = sum / length;
    let squares = 0;
    for (let i = from; i < from + length; i++) squares += (values[i] - mean) ** 2;
    means[chain] = mean;
    within += squares / (length - 1) / numChains;
  }
  const between = length * sampleVariance(means);
  return Math.sqrt((between / within + length - 1) / length);
}

/**
 * The larger R-hat of the split chains' ranks and of the ranks of |x − median|; the second sees chains that differ
 * only in scale. One chain is judged by its two halves. NaN for a constant, and when a draw is not finite.
 */
export function rhatRank(chains: ChainDraws): number {
  if (countNonFinite(chains) > 0) return NaN;
  const aligned = alignChains(chains);
  const median = medianOfSorted(Float64Array.from(aligned.values).sort());
  const folded = { ...aligned, values: aligned.values.map((value) => Math.abs(value - median)) };
  return largerRhat(
    rhatOfChains(rankNormalise(splitChains(aligned))),
    rhatOfChains(rankNormalise(splitChains(folded))),
  );
}

/** The larger of the two; where the folded draws do not vary (a variable of two values), the first alone. */
export function largerRhat(bulk: number, folded: number): number {
  return Number.isNaN(folded) ? bulk : Math.max(bulk, folded);
}
