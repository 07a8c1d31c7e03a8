/** Whitening of one vector by a Cholesky factor, with the logarithm of the normal density. */

/** Columns per pass over the vector. */
const together = 4;

/**
 * With the n × n factor L at `value[l …]`: the vector z at `x[at …]` becomes L⁻¹ z, and L⁻ᵀ of that is written behind it.
 * Returns −½ z′z − log |L|, NaN if L is not a factor.
 */
export function whitenInOrder(
  value: Float64Array,
  l: number,
  x: Float64Array,
  at: number,
  n: number,
): number {
  let lp = 0;
  for (let start = 0; start < n; start += together) {
    const end = Math.min(start + together, n);
    for (let j = start; j < end; j++) {
      const column = l + j * n;
      const diagonal = value[column + j];
      if (!(diagonal > 0)) return Number.NaN;
      const f = x[at + j] / diagonal;
      x[at + j] = f;
      for (let i = j + 1; i < end; i++) x[at + i] -= f * value[column + i];
      lp -= 0.5 * f * f + Math.log(diagonal);
    }
    if (end < n) subtractFour(value, l + start * n, x, at, start, n);
  }
  const w = at + n;
  for (let end = n; end > 0; end -= together) {
    const start = Math.max(0, end - together);
    for (let j = start; j < end; j++) x[w + j] = x[at + j];
    if (start === end - together) subtractProducts(value, l + start * n, x, w, start, n);
    else for (let j = start; j < end; j++) subtractProduct(value, l + j * n, x, w, j, end, n);
    for (let j = end - 1; j >= start; j--) {
      subtractProduct(value, l + j * n, x, w, j, j + 1, end);
      x[w + j] /= value[l + j * n + j];
    }
  }
  return lp;
}

/** Below four columns from `start` on, x less their shares. */
function subtractFour(
  value: Float64Array,
  c0: number,
  x: Float64Array,
  at: number,
  start: number,
  n: number,
): void {
  const c1 = c0 + n;
  const c2 = c1 + n;
  const c3 = c2 + n;
  const f0 = x[at + start];
  const f1 = x[at + start + 1];
  const f2 = x[at + start + 2];
  const f3 = x[at + start + 3];
  for (let i = start + together; i < n; i++) {
    x[at + i] =
      x[at + i] - f0 * value[c0 + i] - f1 * value[c1 + i] - f2 * value[c2 + i] - f3 * value[c3 + i];
  }
}

/** Four elements of x from `start` on, less the products of their columns with what is below. */
function subtractProducts(
  value: Float64Array,
  c0: number,
  x: Float64Array,
  at: number,
  start: number,
  n: number,
): void {
  const c1 = c0 + n;
  const c2 = c1 + n;
  const c3 = c2 + n;
  // four sums at a time: each addition waits for the previous one of the same sum
  let s0 = x[at + start];
  let s1 = x[at + start + 1];
  let s2 = x[at + start + 2];
  let s3 = x[at + start + 3];
  for (let i = start + together; i < n; i++) {
    const f = x[at + i];
    s0 -= value[c0 + i] * f;
    s1 -= value[c1 + i] * f;
    s2 -= value[c2 + i] * f;
    s3 -= value[c3 + i] * f;
  }
  x[at + start] = s0;
  x[at + start + 1] = s1;
  x[at + start + 2] = s2;
  x[at + start + 3] = s3;
}

function subtractProduct(
  value: Float64Array,
  column: number,
  x: Float64Array,
  at: number,
  ...[j, from, to]: [number, number, number]
): void {
  let s = x[at + j];
  for (let i = from; i < to; i++) s -= value[column + i] * x[at + i];
  x[at + j] = s;
}
