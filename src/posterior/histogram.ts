/** Bins of a histogram over draws. */

export interface Histogram {
  /** Bin edges, one more than there are counts. */
  readonly edges: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Histogram of the finite values. Width by Freedman & Diaconis 1981 (2·IQR·n^(−1/3)), between 1 and `maxBins` bins
 * (default 80); a variable of few whole numbers gets one bin centred on each. Empty for no finite value.
 */
export function histogram(values: Float64Array, maxBins = 80): Histogram {
  const sorted = values.filter(Number.isFinite).sort();
  if (sorted.length === 0) return { edges: new Float64Array(0), counts: new Float64Array(0) };
  return countInBins(sorted, binEdges(sorted, maxBins));
}

function binEdges(sorted: Float64Array, maxBins: number): Float64Array {
  const low = sorted[0];
  const high = sorted[sorted.length - 1];
  if (high - low < maxBins && sorted.every(Number.isInteger)) {
    return Float64Array.from({ length: high - low + 2 }, (_, i) => low - 0.5 + i);
  }
  const quartile = (share: number) => sorted[Math.round((sorted.length - 1) * share)];
  const width = (2 * (quartile(0.75) - quartile(0.25))) / Math.cbrt(sorted.length);
  const wanted = width > 0 ? Math.ceil((high - low) / width) : maxBins;
  const bins = high === low ? 1 : Math.min(maxBins, Math.max(1, wanted));
  if (high === low) {
    const margin = Math.abs(low) * 1e-3 || 0.5;
    return Float64Array.of(low - margin, high + margin);
  }
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins);
  edges[bins] = high;
  return edges;
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
