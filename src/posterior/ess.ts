/** Effective sample sizes: bulk, tail, of the mean, of a quantile, of the standard deviation. */
import {
  autocovarianceSums,
  centreChains,
  coincidenceSums,
  sampleVariance,
} from './autocovariance.ts';
import {
  alignChains,
  type ChainDraws,
  countNonFinite,
  type FlatChains,
  isConstant,
  splitChains,
} from './draws.ts';
import { firstAbove, firstNotBelow, type SortedDraws, sortDraws } from './order.ts';
import { quantileOfSorted } from './quantile.ts';
import { rankScores } from './ranks.ts';
import { createByteScratch, createIndexScratch, createScratch } from './scratch.ts';

const centredScratch = createScratch();
const markScratch = createByteScratch();
const onesScratch = createIndexScratch();

/** Half chains shorter than this have too few lags for Geyer's first pairs: their ESS is undefined. */
const SHORTEST_CHAIN = 6;

/**
 * ESS of chains taken as they are (split and transform them before). NaN for constant chains, for
 * too short ones, and if no double can represent the variance.
 * Source: Vehtari et al. 2021, arXiv 1903.08008, eq. 10–13, with the sequences of Geyer 1992; τ is not let below
 * 1/log10(S), so antithetic chains end at S·log10(S).
 */
export function essOfChains(chains: FlatChains): number {
  const { numChains, length } = chains;
  if (length < SHORTEST_CHAIN || isConstant(chains.values)) return NaN;
  const { centred, means } = centreChains(chains, centredScratch(chains.values.length));
  return essOfSums({ numChains, length, means, sumAt: autocovarianceSums(centred) });
}

interface CentredSums {
  readonly numChains: number;
  readonly length: number;
  readonly means: Float64Array;
  /** Σ over chains of Σ c_i c_{i+lag}, c the chain minus its mean. */
  readonly sumAt: (lag: number) => number;
}

function essOfSums({ numChains, length, means, sumAt }: CentredSums): number {
  // Biased autocovariances: divided by the length, whatever the lag.
  const scale = 1 / (numChains * length);
  const biasedVariance = sumAt(0) * scale;
  const meanVariance = (biasedVariance * length) / (length - 1);
  const pooledVariance = biasedVariance + (numChains > 1 ? sampleVariance(means) : 0);
  const correlationAt = (lag: number) => 1 - (meanVariance - sumAt(lag) * scale) / pooledVariance;

  // Initial positive and initial monotone sequence in one pass: a pair never counts more than the one before it. If the
  // first pair is already not positive, τ is at its limit with the next one too.
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
  // The even correlation of the first omitted pair is kept if positive (the improved estimate of the paper).
  const last = even + odd >= 0 ? even : Math.max(0, even);
  const total = numChains * length;
  const tau = Math.max(-1 + 2 * sum + last, 1 / Math.log10(total));
  return total / tau;
}

/** Split chains replaced by the normal scores of their ranks. */
export function rankNormalise(split: FlatChains): FlatChains {
  const scores = new Float64Array(split.values.length);
  rankScores(sortDraws(split.values), scores);
  return { ...split, values: scores };
}

/**
 * ESS of the indicator x ≤ q over split chains, for draws in order. If it is true for every draw (q is the largest
 * value of a discrete variable), x < q is counted instead, so that a variable that varies has a tail ESS. `place`:
 * position of an index of the ordered draws in the split chains, −1 for a dropped one; null if it is the same.
 */
export function essOfIndicator(
  { numChains, length, values }: FlatChains,
  { order, sorted }: SortedDraws,
  q: number,
  place: Int32Array | null = null,
): number {
  if (length < SHORTEST_CHAIN) return NaN;
  const count = sorted.length;
  const below = firstAbove(sorted, q);
  const isAll = order.subarray(below).every((index) => place !== null && place[index] < 0);
  const numLow = isAll ? firstNotBelow(sorted, q) : below;
  // An indicator and its complement have the same autocovariances: the rarer one is counted.
  const isLow = 2 * numLow <= count;
  const rare = isLow ? order.subarray(0, numLow) : order.subarray(numLow);
  const marks = markScratch(values.length).fill(0);
  const ones = markPlaces(rare, place, marks);
  if (ones.length === 0 || ones.length === values.length) return NaN;
  const sums = coincidenceSums({ values: marks, ones, numChains, length });
  return essOfSums({ numChains, length, ...sums });
}

/** Marks the places of `indices` among zeros; returns them in ascending order, which the marks give without a sort. */
function markPlaces(
  indices: Uint32Array,
  place: Int32Array | null,
  marks: Uint8Array,
): Uint32Array {
  let count = 0;
  for (let k = 0; k < indices.length; k++) {
    const at = place === null ? indices[k] : place[indices[k]];
    if (at < 0) continue;
    marks[at] = 1;
    count++;
  }
  const ones = onesScratch(count);
  let found = 0;
  for (let at = 0; found < count; at++) if (marks[at] === 1) ones[found++] = at;
  return ones;
}

/** Passes aligned chains to `statistic`; NaN if a draw is not finite. */
function ofFinite(chains: ChainDraws, statistic: (aligned: FlatChains) => number): number {
  return countNonFinite(chains) > 0 ? NaN : statistic(alignChains(chains));
}

/** Bulk ESS: of the rank-normalised split chains. */
export function essBulk(chains: ChainDraws): number {
  return ofFinite(chains, (aligned) => essOfChains(rankNormalise(splitChains(aligned))));
}

/** ESS of the quantile at `probability`, taken from the pooled unsplit draws. */
export function essQuantile(chains: ChainDraws, probability: number): number {
  return ofFinite(chains, (aligned) => {
    const sorted = Float64Array.from(aligned.values).sort();
    const split = splitChains(aligned);
    const q = quantileOfSorted(sorted, probability);
    return essOfIndicator(split, sortDraws(split.values), q);
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
