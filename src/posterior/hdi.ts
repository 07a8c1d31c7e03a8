/** The highest density interval. */

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The narrowest window over sorted draws that spans ⌊pS⌋ steps, the lowest one if several are equally narrow; NaN on
 * both sides for no draws or draws that are not all finite. Assumes one mode. Source: Hyndman 1996.
 */
export function hdi(values: Float64Array, probability: number): Interval {
  const sorted = Float64Array.from(values).sort();
  return hdiOfSorted(sorted, probability);
}

/** {@link hdi} for draws that are already in ascending order. */
export function hdiOfSorted(sorted: Float64Array, probability: number): Interval {
  const count = sorted.length;
  if (count === 0 || !Number.isFinite(sorted[0]) || !Number.isFinite(sorted[count - 1])) {
    return { low: NaN, high: NaN };
  }
  const steps = Math.min(count - 1, Math.floor(probability * count));
  let best = 0;
  for (let start = 1; start + steps < count; start++) {
    if (sorted[start + steps] - sorted[start] < sorted[best + steps] - sorted[best]) best = start;
  }
  return { low: sorted[best], high: sorted[best + steps] };
}
