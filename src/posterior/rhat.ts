/** The rank-normalised split R-hat. */
import { sampleVariance } from './autocovariance.ts';
import {
  alignChains,
  type ChainDraws,
  countNonFinite,
  type FlatChains,
  splitChains,
  type VariableDraws,
} from './draws.ts';
import { rankNormalise } from './ess.ts';
import { medianOfSorted } from './quantile.ts';
import { squaresBetween, sumBetween } from './sums.ts';

/**
 * √((B/W + n − 1)/n) over chains taken as they are; NaN for one chain, fewer than two draws, or no variance within
 * and between. Chains that are constant at different values give ∞, or what rounding leaves of it.
 * Source: Vehtari et al. 2021, arXiv 1903.08008, eq. 1–4.
 */
export function rhatOfChains(chains: FlatChains): number {
  const { values, numChains, length } = chains;
  const means = new Float64Array(numChains);
  let within = 0;
  for (let chain = 0; chain < numChains; chain++) {
    const [from, to] = [chain * length, (chain + 1) * length];
    const mean = sumBetween(values, from, to) / length;
    means[chain] = mean;
    within += squaresBetween(values, from, to, mean) / (length - 1) / numChains;
  }
  const between = length * sampleVariance(means);
  return Math.sqrt((between / within + length - 1) / length);
}

/**
 * Nested R-hat, √(1 + B/W) over superchains: chains from one starting point, which agree at first whether or not they
 * have reached the posterior. B is the variance of their means, W the mean of the variance within them, between and
 * within chains. `superchains`: a number for each chain. NaN for a single superchain, or no variance.
 * Source: Margossian, Hoffman, Sountsov, Riou-Durand, Vehtari & Gelman 2024, arXiv 2110.13017, eq. 8–12.
 */
export function nestedRhatOfChains(
  { values, numChains, length }: FlatChains,
  superchains: readonly number[],
): number {
  const groups = new Map<number, ChainMoments[]>();
  for (let chain = 0; chain < numChains; chain++) {
    const group = groups.get(superchains[chain]) ?? [];
    group.push(momentsOf(values.subarray(chain * length, (chain + 1) * length)));
    groups.set(superchains[chain], group);
  }
  const means = new Float64Array(groups.size);
  let within = 0;
  for (const [place, chains] of [...groups.values()].entries()) {
    const own = Float64Array.from(chains, ({ mean }) => mean);
    means[place] = average(own);
    within += own.length > 1 ? sampleVariance(own) : 0;
    within += average(Float64Array.from(chains, ({ variance }) => variance));
  }
  return Math.sqrt(1 + (sampleVariance(means) * groups.size) / within);
}

interface ChainMoments {
  readonly mean: number;
  readonly variance: number;
}

const momentsOf = (values: Float64Array): ChainMoments => ({
  mean: average(values),
  variance: values.length > 1 ? sampleVariance(values) : 0,
});

const average = (values: Float64Array) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** R-hat of chains that are parts of `chains` without empty ones, nested if there are superchains. */
export function rhatAmong(
  superchains: readonly number[] | undefined,
  chains: ChainDraws,
): (parts: FlatChains) => number {
  if (superchains === undefined) return rhatOfChains;
  const used = superchains.filter((_, chain) => chains[chain].length > 0);
  return (parts) => {
    const each = parts.numChains / used.length;
    const ofParts = used.flatMap((superchain) => Array<number>(each).fill(superchain));
    return nestedRhatOfChains(parts, ofParts);
  };
}

/** The larger rank R-hat of chains that each have a separate starting point. */
export const rhatRank = (chains: ChainDraws): number => rhatOfDraws({ chains });

/**
 * The larger R-hat of the split chains' ranks and of the ranks of |x − median|; the second detects chains that differ
 * only in scale. One chain is judged by its two halves. NaN for a constant, and if a draw is not finite.
 */
export function rhatOfDraws({ chains, superchains }: Omit<VariableDraws, 'variable'>): number {
  if (countNonFinite(chains) > 0) return NaN;
  const rhatOf = rhatAmong(superchains, chains);
  const aligned = alignChains(chains);
  const median = medianOfSorted(Float64Array.from(aligned.values).sort());
  const folded = { ...aligned, values: aligned.values.map((value) => Math.abs(value - median)) };
  return largerRhat(
    rhatOf(rankNormalise(splitChains(aligned))),
    rhatOf(rankNormalise(splitChains(folded))),
  );
}

/** The larger of the two; if the folded draws do not vary (a variable with two values), the first alone. */
export function largerRhat(bulk: number, folded: number): number {
  return Number.isNaN(folded) ? bulk : Math.max(bulk, folded);
}
