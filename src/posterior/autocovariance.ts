/** Autocovariances of chains: a few lags by summation, all lags by Fourier transform. */
import type { FlatChains } from './draws.ts';
import { inverseTransform, paddedSize, transform } from './fft.ts';
import { squaresBetween, sumBetween } from './sums.ts';

/**
 * Sum over chains of the autocovariance sums Σ c_i c_{i+t}, for every lag t < length. `centred` contains each chain
 * minus its mean.
 *
 * Two real chains are combined as real and imaginary part of one complex series: the real part of that series'
 * autocovariance is the sum of theirs, and the spectra of all pairs are added before a single inverse transform.
 * Neither transform permutes: the spectrum may be in any order.
 */
function summedAutocovariances(centred: FlatChains): Float64Array {
  const { values, numChains, length } = centred;
  const size = paddedSize(2 * length);
  const power = new Float64Array(size);
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  for (let chain = 0; chain < numChains; chain += 2) {
    re.fill(0);
    im.fill(0);
    re.set(values.subarray(chain * length, (chain + 1) * length));
    if (chain + 1 < numChains) im.set(values.subarray((chain + 1) * length, (chain + 2) * length));
    transform(re, im);
    for (let k = 0; k < size; k++) power[k] += re[k] * re[k] + im[k] * im[k];
  }
  im.fill(0);
  inverseTransform(power, im);
  const sums = new Float64Array(length);
  for (let lag = 0; lag < length; lag++) sums[lag] = power[lag] / size;
  return sums;
}

/** Lags that are summed in one pass over the draws: a single sum would wait for its own additions. */
const LAGS_AT_ONCE = 4;

/** Chosen by measurement, a multiple of the lags per pass: a transform costs about as much as this many sums. */
const DIRECT_LAGS = 16;

/**
 * Σ over chains of Σ c_i c_{i+lag} as a function of the lag. Well-mixed chains need a handful of lags, and summing
 * these is cheaper than a transform; from `DIRECT_LAGS` on all come from one transform.
 */
export function autocovarianceSums(centred: FlatChains): (lag: number) => number {
  const few = new Float64Array(DIRECT_LAGS);
  let numSummed = 0;
  let all: Float64Array | null = null;
  return (lag) => {
    if (lag < DIRECT_LAGS && lag + LAGS_AT_ONCE <= centred.length) {
      for (; numSummed <= lag; numSummed += LAGS_AT_ONCE) sumLags(centred, numSummed, few);
      return few[lag];
    }
    all ??= summedAutocovariances(centred);
    return all[lag];
  };
}

/** Writes the sums of `lag` and the next three lags, each in the order of the draws. */
function sumLags({ values, numChains, length }: FlatChains, lag: number, out: Float64Array): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let chain = 0; chain < numChains; chain++) {
    const from = chain * length;
    const to = from + length - lag;
    // The four draws that one is multiplied with: only the last is new each time.
    let first = values[from + lag];
    let second = values[from + lag + 1];
    let third = values[from + lag + 2];
    for (let i = from; i < to - 3; i++) {
      const value = values[i];
      const last = values[i + lag + 3];
      a += value * first;
      b += value * second;
      c += value * third;
      d += value * last;
      first = second;
      second = third;
      third = last;
    }
    a += values[to - 3] * values[to - 3 + lag];
    a += values[to - 2] * values[to - 2 + lag];
    a += values[to - 1] * values[to - 1 + lag];
    b += values[to - 3] * values[to - 2 + lag];
    b += values[to - 2] * values[to - 1 + lag];
    c += values[to - 3] * values[to - 1 + lag];
  }
  out[lag] = a;
  out[lag + 1] = b;
  out[lag + 2] = c;
  out[lag + 3] = d;
}

/** Chains of zeros and ones. */
export interface MarkedChains {
  readonly values: Uint8Array;
  /** The positions of the ones, in ascending order. */
  readonly ones: Uint32Array;
  readonly numChains: number;
  readonly length: number;
}

/**
 * The means of chains of zeros and ones and, as a function of the lag, what {@link autocovarianceSums} gives for them.
 * Pairs of ones are counted, Σ (a_i − m)(a_{i+t} − m) = pairs − m (ones without the last t + ones without the first t)
 * + (n − t) m²: if ones are rare, many lags cost as much as one lag of the transform.
 */
export function coincidenceSums(marked: MarkedChains): {
  means: Float64Array;
  sumAt: (lag: number) => number;
} {
  const { values, ones, numChains, length } = marked;
  const means = new Float64Array(numChains);
  for (let k = 0; k < ones.length; k++) means[Math.floor(ones[k] / length)] += 1;
  for (let chain = 0; chain < numChains; chain++) means[chain] /= length;
  const directLags = Math.floor((DIRECT_LAGS * values.length) / ones.length);
  let all: Float64Array | null = null;
  return {
    means,
    sumAt(lag) {
      if (lag < directLags) return coincidences(marked, means, lag);
      all ??= summedAutocovariances(
        centreChains({ numChains, length, values: Float64Array.from(values) }).centred,
      );
      return all[lag];
    },
  };
}

function coincidences(
  { values, ones, numChains, length }: MarkedChains,
  means: Float64Array,
  lag: number,
): number {
  let sum = 0;
  let k = 0;
  for (let chain = 0; chain < numChains; chain++) {
    const first = chain * length;
    const last = first + length - lag;
    const mean = means[chain];
    const before = k;
    let [pairs, early, late] = [0, 0, 0];
    for (; k < ones.length && ones[k] < first + length; k++) {
      const at = ones[k];
      if (at < first + lag) early++;
      if (at < last) pairs += values[at + lag];
      else late++;
    }
    sum += pairs - mean * (2 * (k - before) - early - late) + (length - lag) * mean * mean;
  }
  return sum;
}

/** Each chain minus its mean, and the means; `centred` may be given as a buffer to overwrite. */
export function centreChains(
  chains: FlatChains,
  centred: Float64Array = new Float64Array(chains.values.length),
): { centred: FlatChains; means: Float64Array } {
  const { values, numChains, length } = chains;
  const means = new Float64Array(numChains);
  for (let chain = 0; chain < numChains; chain++) {
    const [from, to] = [chain * length, (chain + 1) * length];
    const mean = sumBetween(values, from, to) / length;
    means[chain] = mean;
    for (let i = from; i < to; i++) centred[i] = values[i] - mean;
  }
  return { centred: { values: centred, numChains, length }, means };
}

/**
 * Autocorrelation of one chain at lags 0…maxLag (biased, divided by the variance), for plots; NaN for a constant
 * chain or one with a value that is not finite.
 */
export function autocorrelation(chain: Float64Array, maxLag: number): Float64Array {
  const lags = Math.min(maxLag, chain.length - 1);
  const { centred } = centreChains({ values: chain, numChains: 1, length: chain.length });
  const sums = summedAutocovariances(centred);
  const isUsable = Number.isFinite(sums[0]) && chain.some((value) => value !== chain[0]);
  const out = new Float64Array(Math.max(0, lags + 1));
  for (let lag = 0; lag <= lags; lag++) out[lag] = isUsable ? sums[lag] / sums[0] : NaN;
  return out;
}

/** Sample variance (÷ count − 1); NaN for fewer than two values. */
export function sampleVariance(values: Float64Array): number {
  const count = values.length;
  if (count < 2) return NaN;
  const mean = sumBetween(values, 0, count) / count;
  return squaresBetween(values, 0, count, mean) / (count - 1);
}
