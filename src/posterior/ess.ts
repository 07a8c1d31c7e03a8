/** Effective sample sizes: bulk, tail, of the mean, of a quantile, of the standard deviation. */
import { autocovarianceSums, centreChains, sampleVariance } from './autocovariance.ts';
import {
  alignChains,
  type ChainDraws,
  countNonFinite,
  type FlatChains,
  isConstant,
  splitChains,
} from './draws.ts';
import { sortedOrder, takeInOrder } from './order.ts';
import { quantileOfSorted } from './quantile.ts';
import { averageRanks, normalScores } from './ranks.ts';
import { createScratch } from './scratch.ts';

const centredScratch = createScratch();
const indicatorScratch = createScratch();

/** Half chains shorter than this have too few lags for Geyer's first pairs: their ESS is undefined. */
const SHORTEST_CHAIN = 6;

/**
 * ESS of chains taken as they are (split and transform them before). NaN for constant chains, for
 * too short ones, and where no double holds the variance.
 * Source: Vehtari et al. 2021, arXiv 1903.08008, eq. 10–13, with the sequences of Geyer 1992; τ is not let below
 * 1/log10(S), so antithetic chains end at S·log10(S).
 */
export function essOfChains(chains: FlatChains): number {
  const { numChains, length } = chains;
  if (length < SHORTEST_CHAIN || isConstant(chains.values)) return NaN;
  const { centred, means } = centreChains(chains, centredScratch(chains.values.length));
  const sumAt = autocovarianceSums(centred);
  // Biased autocovariances: divided by the length, whatever the lag.
  const scale = 1 / (numChains * length);
  const biasedVariance = sumAt(0) * scale;
  const meanVariance = (biasedVariance * length) / (length - 1);
  const pooledVariance = biasedVariance + (numChains > 1 ? sampleVariance(means) : 0);
  const correlationAt = (lag: number) => 1 - (meanVariance - sumAt(lag) * scale) / pooledVariance;

  // Initial positive and initial monotone sequence in one go: a pair never counts more than the pair before it. Where
  // already the first one is not positive, τ is at its limit with the next one too.
  let lag = 0;
  let even = 1;
  let odd = correlationAt(1);
  let pair = even + odd;
  let sum = 0;
  do {
    sum += pair;
    lag += 2;
    even = correlationAt(lag);
    odd = correlationAt(lag + 1);
    pair = Math.min(pair, even + odd);
  } while (even + odd > 0 && lag < length - 5);
  // The even correlation of the first pair left out is kept when positive (the improved estimate of the paper).
  const last = even + odd >= 0 ? even : Math.max(0, even);
  const total = numChains * length;
  const tau = Math.max(-1 + 2 * sum + last, 1 / Math.log10(total));
  return total / tau;
}

/** Split chains replaced by the normal scores of their ranks. `order` and `sorted` are those of the unsplit draws. */
export function rankNormalise(split: FlatChains): FlatChains {
  const order = sortedOrder(split.values);
  const ranks = new Float64Array(split.values.length);
  averageRanks(order, takeInOrder(split.values, order), ranks);
  normalScores(ranks);
  return { ...split, values: ranks };
}

/**
 * ESS of the indicator x ≤ q over split chains. Where that holds for every draw (q is the largest value of a
 * discrete variable), x < q is counted instead, so that a variable which varies has a tail ESS.
 */
export function essOfIndicator(split: FlatChains, q: number): number {
  const { values } = split;
  const indicator = indicatorScratch(values.length);
  let below = 0;
  for (let i = 0; i < values.length; i++) {
    const is = values[i] <= q ? 1 : 0;
    indicator[i] = is;
    below += is;
  }
  if (below === values.length)
    for (let i = 0; i < values.length; i++) indicator[i] = values[i] < q ? 1 : 0;
  return essOfChains({ ...split, values: indicator });
}

/** Lets `statistic` see aligned chains; NaN when a draw is not finite. */
function ofFinite(chains: ChainDraws, statistic: (aligned: FlatChains) => number): number {
  return countNonFinite(chains) > 0 ? NaN : statistic(alignChains(chains));
}

/** Bulk ESS: of the rank-normalised split chains. */
export function essBulk(chains: ChainDraws): number {
  return ofFinite(chains, (aligned) => essOfChains(rankNormalise(splitChains(aligned))));
}

/** ESS of the quantile at `probability`, which is taken from the pooled unsplit draws. */
export function essQuantile(chains: ChainDraws, probability: number): number {
  return ofFinite(chains, (aligned) => {
    const sorted = Float64Array.from(aligned.values).sort();
    return essOfIndicator(splitChains(aligned), quantileOfSorted(sorted, probability));
  });
}

/** Tail ESS: the smaller ESS of the 5 % and the 95 % quantile. */
export function essTail(chains: ChainDraws): number {
  return Math.min(essQuantile(chains, 0.05), essQuantile(chains, 0.95));
}

/** ESS of the mean: of the split chains as they are. */
export function essMean(chains: ChainDraws): number {
  return ofFinite(chains, (aligned) => essOfChains(splitChains(aligned)));
}

/** ESS of the standard deviation: of the split chains of (x − x̄)². */
export function essSd(chains: ChainDraws): number {
  return ofFinite(chains, (aligned) => essOfChains(splitChains(squaredDeviations(aligned))));
}

/** (x − x̄)² with x̄ over all draws. */
function squaredDeviations(chains: FlatChains): FlatChains {
  const { values } = chains;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  const mean = sum / values.length;
  return { ...chains, values: values.map((value) => (value - mean) ** 2) };
}
