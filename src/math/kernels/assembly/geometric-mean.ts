/** The geometric mean of one covariance and the inverse of another, decomposed. */
import { symmetricEigen } from './eigen';
import { factor } from './factor';
import { at, get, set } from './numbers';
import { multiply, multiplyTransposed } from './products';
import { solveLowerTransposed } from './solve';

/**
 * Eigenvectors and, n² numbers later, eigenvalues at `out` of the symmetric S with S B S = A; 0 if there is no finite one.
 * A = X Xᵀ / cols + weight I, B likewise from the `cols` columns of n numbers at `g`. With B = L Lᵀ, S is
 * L⁻ᵀ (Lᵀ A L)^½ L⁻¹. 4 n² + 4 n numbers at `out` are overwritten.
 */
export function eigenOfMean(x: usize, g: usize, n: i32, cols: i32, weight: f64, out: usize): i32 {
  const size = n * n;
  const values = at(out, size);
  const a = at(values, 4 * n);
  const l = at(a, size);
  const v = at(l, size);
  covariance(a, x, n, cols, weight);
  covariance(l, g, n, cols, weight);
  if (factor(l, n) === 0) return 0;
  for (let j = 1; j < n; j++) memory.fill(at(l, j * n), 0, (<usize>j) << 3);
  multiplyTransposed(v, l, a, n, n, n);
  multiply(a, v, l, n, n, n, 1, n);
  if (symmetricEigen(a, n, v, values) === 0) return 0;
  for (let k = 0; k < n; k++) {
    scaleColumn(at(v, k * n), n, Math.sqrt(Math.sqrt(max(0, get(values, k)))));
  }
  solveLowerTransposed(l, v, n, n);
  multiply(a, v, v, n, n, n, n, 1);
  if (!areFinite(a, size)) return 0;
  return symmetricEigen(a, n, out, values);
}

function covariance(out: usize, x: usize, n: i32, cols: i32, weight: f64): void {
  multiply(out, x, x, n, cols, n, n, 1);
  for (let k = 0; k < n * n; k++) set(out, k, get(out, k) / cols);
  for (let k = 0; k < n; k++) set(out, k * (n + 1), get(out, k * (n + 1)) + weight);
}

function scaleColumn(column: usize, n: i32, by: f64): void {
  for (let i = 0; i < n; i++) set(column, i, get(column, i) * by);
}

function areFinite(x: usize, count: i32): bool {
  for (let i = 0; i < count; i++) if (!isFinite(get(x, i))) return false;
  return true;
}
