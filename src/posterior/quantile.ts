/** Quantiles of sorted draws (Hyndman and Fan type 7), and the median absolute deviation. */

/** Type 7 quantile of ascending `sorted` (Hyndman & Fan 1996); NaN when empty. */
export function quantileOfSorted(sorted: Float64Array, probability: number): number {
  if (sorted.length === 0) return NaN;
  const position = (sorted.length - 1) * Math.min(1, Math.max(0, probability));
  const below = Math.floor(position);
  const fraction = position - below;
  if (fraction === 0) return sorted[below];
  return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

/** Mean of the middle two, or the middle one; NaN when empty. */
export function medianOfSorted(sorted: Float64Array): number {
  const { length } = sorted;
  const middle = length >> 1;
  return length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Type 7 quantiles of unsorted values, in the order requested; all NaN if a value is NaN. */
export function quantiles(values: Float64Array, probabilities: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  // NaN sorts last.
  if (Number.isNaN(sorted[sorted.length - 1])) return probabilities.map(() => NaN);
  return probabilities.map((probability) => quantileOfSorted(sorted, probability));
}

/** Makes the median absolute deviation an estimate of the sd for normal draws: 1/Φ⁻¹(3/4), rounded as in R. */
export const MAD_SCALE = 1.4826;
