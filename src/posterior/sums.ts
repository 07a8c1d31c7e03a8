/** Sums over an array or part of it. One running sum waits for each of its additions; four take a third of the time. */

/** Σ x_i for from ≤ i < to. */
export function sumBetween(values: Float64Array, from: number, to: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = from;
  for (; i < to - 3; i += 4) {
    a += values[i];
    b += values[i + 1];
    c += values[i + 2];
    d += values[i + 3];
  }
  for (; i < to; i++) a += values[i];
  return a + b + (c + d);
}

/** Σ (x_i − centre)² for from ≤ i < to. */
export function squaresBetween(
  values: Float64Array,
  from: number,
  to: number,
  centre: number,
): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = from;
  for (; i < to - 3; i += 4) {
    a += (values[i] - centre) ** 2;
    b += (values[i + 1] - centre) ** 2;
    c += (values[i + 2] - centre) ** 2;
    d += (values[i + 3] - centre) ** 2;
  }
  for (; i < to; i++) a += (values[i] - centre) ** 2;
  return a + b + (c + d);
}

/** Mean and sd (÷ S − 1; NaN for one draw) of all draws, in two passes so that large means cost no digits. */
export function meanAndSd(values: Float64Array): { mean: number; sd: number } {
  const count = values.length;
  const mean = sumBetween(values, 0, count) / count;
  const squares = squaresBetween(values, 0, count, mean);
  return { mean, sd: count < 2 ? NaN : Math.sqrt(squares / (count - 1)) };
}
