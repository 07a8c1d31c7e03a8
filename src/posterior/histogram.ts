/** Bins of a histogram over draws. */

export interface Histogram {
  /** Bin edges, one more than there are counts. */
  readonly edges: Float64Array;
  readonly counts: Float64Array;
}

/** More values than this need no exact quartiles: an even sample of this size determines the bin width. */
const maxSorted = 100_000;

/**
 * Histogram of the finite values. Width by Freedman & Diaconis 1981 (2·IQR·n^(−1/3)), between 1 and `maxBins` bins
 * (default 80); a variable of few whole numbers gets one bin centred on each. Empty for no finite value.
 */
export function histogram(values: Float64Array, maxBins = 80): Histogram {
  let count = 0;
  let low = Infinity;
  let high = -Infinity;
  let isWhole = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value - value !== 0) continue;
    count++;
    low = Math.min(low, value);
    high = Math.max(high, value);
    isWhole &&= Number.isInteger(value);
  }
  if (count === 0) return { edges: new Float64Array(0), counts: new Float64Array(0) };
  const edges = binEdges(values, { count, low, high, isWhole }, maxBins);
  return { edges, counts: countAll(values, edges) };
}

interface Spread {
  readonly count: number;
  readonly low: number;
  readonly high: number;
  readonly isWhole: boolean;
}

function binEdges(
  values: Float64Array,
  { count, low, high, isWhole }: Spread,
  maxBins: number,
): Float64Array {
  if (high - low < maxBins && isWhole)
    return Float64Array.from({ length: high - low + 2 }, (_, i) => low - 0.5 + i);
  if (high === low) {
    const margin = Math.abs(low) * 1e-3 || 0.5;
    return Float64Array.of(low - margin, high + margin);
  }
  const step = Math.ceil(values.length / maxSorted);
  const sample = values.filter((value, i) => i % step === 0 && value - value === 0).sort();
  const quartile = (share: number) => sample[Math.round((sample.length - 1) * share)];
  // Halves, since the entire range may exceed a double.
  const range = high / 2 - low / 2;
  const spread = quartile(0.75) / 2 - quartile(0.25) / 2;
  const wanted = spread > 0 ? Math.ceil(((range / spread) * Math.cbrt(count)) / 2) : maxBins;
  const bins = Math.min(maxBins, wanted);
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => {
    const part = range * (i / bins);
    return low + part + part;
  });
  edges[bins] = high;
  return edges;
}

/** Counts values in any order: the bin is guessed from the even width, the edges decide. */
function countAll(values: Float64Array, edges: Float64Array): Float64Array {
  const last = edges.length - 2;
  const counts = new Float64Array(last + 1);
  const perUnit = (last + 1) / (edges[last + 1] - edges[0]);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value - value !== 0) continue;
    let bin = Math.floor((value - edges[0]) * perUnit);
    bin = bin > 0 ? Math.min(last, bin) : 0;
    while (value < edges[bin]) bin--;
    while (bin < last && value >= edges[bin + 1]) bin++;
    counts[bin]++;
  }
  return counts;
}

/** Counts ascending values in given bins; a value on an edge counts to its right, the last edge to the last bin. */
export function countInBins(sorted: Float64Array, edges: Float64Array): Histogram {
  const counts = new Float64Array(Math.max(0, edges.length - 1));
  let bin = 0;
  for (const value of sorted) {
    if (value < edges[0] || value > edges[edges.length - 1]) continue;
    while (bin < counts.length - 1 && value >= edges[bin + 1]) bin++;
    counts[bin]++;
  }
  return { edges, counts };
}
