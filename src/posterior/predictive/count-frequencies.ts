/** How often each count occurs in the data and in the model's replications, for bars and rootograms. */
import { quantileOfSorted } from '../quantile.ts';
import type { Predictive } from './replications.ts';

export interface CountFrequencies {
  /** First and last count of each bin; equal if each bin has one count. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** How many observations have it. */
  readonly observed: Float64Array;
  /** Over the replicated data sets: the mean number, called expected in a rootogram, and a central 90 % interval. */
  readonly expected: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Draws beyond the last bin, as a share of all. */
  readonly beyond: number;
}

/** Maximum number of bins; with more counts, each bin contains several. */
const maxBins = 60;

/**
 * Starts at the smallest observed or replicated count. The bins stop where 99.9 % of replicated values and all data lie
 * below, since a single distant draw would otherwise stretch the bins.
 * Source: Kleiber & Zeileis 2016, The American Statistician 70(3), section 2.
 */
export function countFrequencies({ y, replicated, numDraws }: Predictive): CountFrequencies {
  const ends = rangeOf(y, replicated);
  const width = Math.max(1, Math.ceil((ends.last - ends.first + 1) / maxBins));
  const numBins = Math.max(0, Math.ceil((ends.last - ends.first + 1) / width));
  const binOf = (value: number) => Math.floor((value - ends.first) / width);
  const observed = new Float64Array(numBins);
  for (const value of y) observed[binOf(value)]++;
  const counts = Array.from({ length: numBins }, () => new Float64Array(numDraws));
  let beyond = 0;
  for (const draws of replicated) {
    for (let s = 0; s < numDraws; s++) {
      const bin = counts[binOf(draws[s])];
      if (bin === undefined) beyond++;
      else bin[s]++;
    }
  }
  const sorted = counts.map((each) => each.sort());
  const over = (make: (each: Float64Array, bin: number) => number) =>
    Float64Array.from(sorted, make);
  return {
    from: over((_, bin) => ends.first + bin * width),
    to: over((_, bin) => ends.first + (bin + 1) * width - 1),
    observed,
    expected: over((each) => each.reduce((sum, count) => sum + count, 0) / numDraws),
    low: over((each) => quantileOfSorted(each, 0.05)),
    high: over((each) => quantileOfSorted(each, 0.95)),
    beyond: beyond / (numDraws * replicated.length),
  };
}

function rangeOf(y: Float64Array, replicated: readonly Float64Array[]) {
  let [first, last] = [Infinity, -Infinity];
  for (const value of y) {
    first = Math.min(first, value);
    last = Math.max(last, value);
  }
  for (const draws of replicated) {
    const sorted = draws.filter(Number.isFinite).sort();
    if (sorted.length === 0) continue;
    first = Math.min(first, sorted[0]);
    last = Math.max(last, Math.ceil(quantileOfSorted(sorted, 0.999)));
  }
  return { first, last };
}
