/** Householder reflections (Golub & Van Loan, *Matrix Computations*, algorithm 5.1.1). */
import { dotRange } from './products.ts';

/** A factorisation of data before a run is skipped above this many operations, about a second. */
export const mostOperations = 1e9;

/** Zeroes column j of `w`, whose columns have n numbers, below its diagonal: reflects it and those after it up to `last`. */
export function reflectBelow(w: Float64Array, n: number, last: number, j: number): void {
  const at = j + j * n;
  const count = n - j;
  const norm = Math.sqrt(dotRange(w, at, w, at, count));
  if (norm === 0) return;
  const head = w[at];
  const diagonal = head < 0 ? norm : -norm;
  // v, the column with its head replaced, and |v|² / 2
  w[at] = head - diagonal;
  const half = norm * (norm + Math.abs(head));
  for (let k = j + 1; k <= last; k++) {
    const other = j + k * n;
    const f = dotRange(w, at, w, other, count) / half;
    for (let i = 0; i < count; i++) w[other + i] -= f * w[at + i];
  }
  w[at] = diagonal;
}
