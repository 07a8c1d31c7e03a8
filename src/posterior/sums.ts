/** Sums over part of an array. One running sum waits for each of its additions; four take a third of the time. */

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
