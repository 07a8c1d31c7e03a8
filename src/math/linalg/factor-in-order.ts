/**
 * The Cholesky factor of a matrix that is in order in an array, written to another place there, and its adjoint added to
 * where that of the matrix is: as few passes over the matrices as possible, since from 70 rows on they leave the cache.
 */
import { choleskyInPlace, choleskyReverse } from './cholesky.ts';
import { denseFor, type InOrder, kernelUses } from './dense.ts';

/** What {@link factorInOrder} returns if the matrix is not positive definite. */
export const notPositive = -1;

/**
 * Writes the factor of the matrix, of which only the lower triangle counts, to `x[to …]`, with zeros above the diagonal.
 * Returns the `use` that {@link addFactorAdjoint} takes.
 */
export function factorInOrder(x: Float64Array, m: InOrder, to: number): number {
  const { n, base, diagonal, step } = m;
  const size = n * n;
  const dense = denseFor(size * n, size);
  if (dense === null) {
    for (let j = 0; j < n; j++) {
      for (let at = j * n, end = at + j; at < end; at++) x[to + at] = 0;
      x[to + j * (n + 1)] = x[diagonal + j * step];
      for (let at = j * (n + 1) + 1, end = j * n + n; at < end; at++) x[to + at] = x[base + at];
    }
    return choleskyInPlace(x, n, to) ? 0 : notPositive;
  }
  dense.put(0, x, base, size);
  if (step !== n + 1) dense.putDiagonal(0, n, x, diagonal);
  if (!dense.factor(n)) return notPositive;
  dense.take(0, size, x, to);
  for (let j = 1; j < n; j++) {
    for (let at = to + j * n, end = at + j; at < end; at++) x[at] = 0;
  }
  return kernelUses();
}

/**
 * Adds the adjoint of the matrix `m` to its lower triangle in `g`, from the adjoint of its factor, which is at `from` in `g`
 * and overwritten; `l` holds the factor at the same place. `use` is what {@link factorInOrder} returned.
 */
export function addFactorAdjoint(
  l: Float64Array,
  g: Float64Array,
  m: InOrder,
  from: number,
  use: number,
): void {
  const { n, base, diagonal, step } = m;
  const size = n * n;
  const isThere = kernelUses() === use;
  const dense = denseFor(size * n, 2 * size);
  if (dense !== null) {
    // with one factor in the program, it is still where the kernels left it
    if (!isThere) dense.put(0, l, from, size);
    dense.put(size, g, from, size);
    dense.factorAdjoint(n);
    dense.addLower(size, g, m);
    return;
  }
  choleskyReverse(l, g, n, from);
  for (let j = 0; j < n; j++) {
    g[diagonal + j * step] += g[from + j * (n + 1)];
    for (let at = j * (n + 1) + 1, end = j * n + n; at < end; at++) g[base + at] += g[from + at];
  }
}
