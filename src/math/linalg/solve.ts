/** Solving linear systems: triangular, positive definite (Cholesky) and general (LU with partial pivoting). */
import { Matrix } from '../autodiff/containers.ts';
import { DomainError, ShapeError } from '../errors.ts';
import { choleskyFactor } from './cholesky.ts';
import { type Dense, denseFor } from './dense.ts';
import { dotRange, fewestColumns } from './products.ts';

export function requireSquare(name: string, a: Pick<Matrix, 'rows' | 'cols'>): void {
  if (a.rows !== a.cols) {
    throw new ShapeError(`${name}: expected a square matrix, got ${a.rows} × ${a.cols}`);
  }
}

/** The Cholesky factor of A, or DomainError. Only the lower triangle of A is read. */
export function requireCholesky(name: string, a: Matrix): Matrix {
  requireSquare(name, a);
  const factor = choleskyFactor(a.data, a.rows);
  if (factor === null) throw new DomainError(`${name}: Matrix m is not positive definite`);
  return new Matrix(a.rows, a.rows, factor);
}

export function requireSymmetric(name: string, a: Matrix): void {
  requireSquare(name, a);
  for (let j = 0; j < a.rows; j++) {
    for (let i = j + 1; i < a.rows; i++) {
      const d = Math.abs(a.data[i + j * a.rows] - a.data[j + i * a.rows]);
      if (!(d <= 1e-8)) {
        throw new DomainError(
          `${name}: not symmetric: m[${i + 1},${j + 1}] = ${a.data[i + j * a.rows]}, but m[${j + 1},${i + 1}] = ${a.data[j + i * a.rows]}`,
        );
      }
    }
  }
}

/** Fewer rows than this leave nothing to do for the kernels, which take four columns of L at once. */
const fewestRows = 8;

/** The kernels with L and B in their memory; null if B has few columns, for which copying L does not pay. */
function denseSystem(l: Matrix, b: Matrix): Dense | null {
  const size = l.rows * l.rows;
  if (l.rows < fewestRows || b.cols < fewestColumns) return null;
  const dense = denseFor(size * b.cols, size + b.data.length);
  dense?.put(0, l.data, 0, size);
  dense?.put(size, b.data, 0, b.data.length);
  return dense;
}

function takeSolution(dense: Dense, n: number, cols: number): Matrix {
  const x = new Float64Array(n * cols);
  dense.take(n * n, n * cols, x, 0);
  return new Matrix(n, cols, x);
}

/** L⁻¹ B by forward substitution; entries of L above the diagonal are not read. */
export function solveLower(l: Matrix, b: Matrix): Matrix {
  const n = l.rows;
  const dense = denseSystem(l, b);
  if (dense !== null) {
    dense.solveLower(n, b.cols);
    return takeSolution(dense, n, b.cols);
  }
  const x = b.data.slice();
  const t = l.data;
  for (let j = 0; j < b.cols; j++) {
    const column = j * n;
    for (let k = 0; k < n; k++) {
      const f = x[column + k] / t[k + k * n];
      x[column + k] = f;
      const from = k * n;
      for (let i = k + 1; i < n; i++) x[column + i] -= f * t[from + i];
    }
  }
  return new Matrix(n, b.cols, x);
}

/** L⁻ᵀ B by back substitution. */
export function solveLowerTransposed(l: Matrix, b: Matrix): Matrix {
  const n = l.rows;
  const dense = denseSystem(l, b);
  if (dense !== null) {
    dense.solveLowerTransposed(n, b.cols);
    return takeSolution(dense, n, b.cols);
  }
  const x = b.data.slice();
  const t = l.data;
  for (let j = 0; j < b.cols; j++) {
    const column = j * n;
    for (let k = n - 1; k >= 0; k--) {
      const from = k * n;
      let s = x[column + k];
      for (let i = k + 1; i < n; i++) s -= t[from + i] * x[column + i];
      x[column + k] = s / t[from + k];
    }
  }
  return new Matrix(n, b.cols, x);
}

/** (L Lᵀ)⁻¹ B. */
export function solveCholesky(l: Matrix, b: Matrix): Matrix {
  return solveLowerTransposed(l, solveLower(l, b));
}

/** (L Lᵀ)⁻¹: a third of the cost of solving for the columns of the identity, since both halves are the same. */
export function inverseOfFactored(l: Matrix): Matrix {
  const n = l.rows;
  const dense = denseFor(n * n * n, 3 * n * n);
  if (dense !== null) {
    dense.put(0, l.data, 0, n * n);
    dense.inverseOfFactored(n);
    return takeSolution(dense, n, n);
  }
  const t = l.data;
  // columns of L⁻¹, which are zero above the diagonal
  const m = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const column = j * n;
    m[column + j] = 1;
    for (let k = j; k < n; k++) {
      const f = m[column + k] / t[k + k * n];
      m[column + k] = f;
      const from = k * n;
      for (let i = k + 1; i < n; i++) m[column + i] -= f * t[from + i];
    }
  }
  const out = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i <= j; i++) {
      const s = dotRange(m, i * n + j, m, j * n + j, n - j);
      out[i + j * n] = s;
      out[j + i * n] = s;
    }
  }
  return new Matrix(n, n, out);
}

/** P A = L U, packed in one matrix, with the row of A that went to each row. */
export interface LuFactors {
  readonly lu: Matrix;
  readonly rowOf: Int32Array;
  /** ±1: the parity of the row exchanges. */
  readonly sign: number;
}

/** Golub & Van Loan, *Matrix Computations*, algorithm 3.4.1 (outer product form, partial pivoting). */
export function factorLu(name: string, a: Matrix): LuFactors {
  requireSquare(name, a);
  const n = a.rows;
  const t = a.data.slice();
  const rowOf = new Int32Array(n);
  const sign = factorLuInPlace(t, rowOf, n);
  return { lu: new Matrix(n, n, t), rowOf, sign };
}

/** Factors the n × n numbers `t` in place and records where each row came from; returns the parity. */
export function factorLuInPlace(t: Float64Array, rowOf: Int32Array, n: number): number {
  for (let i = 0; i < n; i++) rowOf[i] = i;
  let sign = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++)
      if (Math.abs(t[i + k * n]) > Math.abs(t[pivot + k * n])) pivot = i;
    if (pivot !== k) {
      for (let j = 0; j < n; j++) {
        const swap = t[k + j * n];
        t[k + j * n] = t[pivot + j * n];
        t[pivot + j * n] = swap;
      }
      const row = rowOf[k];
      rowOf[k] = rowOf[pivot];
      rowOf[pivot] = row;
      sign = -sign;
    }
    const d = t[k + k * n];
    if (d === 0) continue;
    for (let i = k + 1; i < n; i++) t[i + k * n] /= d;
    for (let j = k + 1; j < n; j++) {
      const f = t[k + j * n];
      if (f === 0) continue;
      for (let i = k + 1; i < n; i++) t[i + j * n] -= f * t[i + k * n];
    }
  }
  return sign;
}

/** A⁻¹ B; infinities and NaN if A is singular, as in Stan. */
export function solveLu({ lu, rowOf }: LuFactors, b: Matrix): Matrix {
  const x = new Float64Array(lu.rows * b.cols);
  solveLuInto(lu.data, rowOf, b.data, b.cols, x);
  return new Matrix(lu.rows, b.cols, x);
}

/** A⁻¹ B for `cols` columns B, into `x`, from what {@link factorLuInPlace} left in `t` and `rowOf`. */
export function solveLuInto(
  t: Float64Array,
  rowOf: Int32Array,
  b: Float64Array,
  cols: number,
  x: Float64Array,
): void {
  const n = rowOf.length;
  for (let j = 0; j < cols; j++) {
    const column = j * n;
    for (let i = 0; i < n; i++) x[column + i] = b[rowOf[i] + column];
    for (let k = 0; k < n; k++) {
      const f = x[column + k];
      for (let i = k + 1; i < n; i++) x[column + i] -= f * t[i + k * n];
    }
    for (let k = n - 1; k >= 0; k--) {
      x[column + k] /= t[k + k * n];
      const f = x[column + k];
      for (let i = 0; i < k; i++) x[column + i] -= f * t[i + k * n];
    }
  }
}

/** A⁻ᵀ B. */
export function solveLuTransposed({ lu, rowOf }: LuFactors, b: Matrix): Matrix {
  const n = lu.rows;
  const t = lu.data;
  const x = new Float64Array(n * b.cols);
  const y = new Float64Array(n);
  for (let j = 0; j < b.cols; j++) {
    const column = j * n;
    for (let k = 0; k < n; k++) {
      let s = b.data[k + column];
      for (let i = 0; i < k; i++) s -= t[i + k * n] * y[i];
      y[k] = s / t[k + k * n];
    }
    for (let k = n - 1; k >= 0; k--) {
      let s = y[k];
      for (let i = k + 1; i < n; i++) s -= t[i + k * n] * y[i];
      y[k] = s;
    }
    for (let i = 0; i < n; i++) x[rowOf[i] + column] = y[i];
  }
  return new Matrix(n, b.cols, x);
}

export function identity(n: number): Matrix {
  const out = new Matrix(n, n, new Float64Array(n * n));
  for (let i = 0; i < n; i++) out.data[i + i * n] = 1;
  return out;
}
