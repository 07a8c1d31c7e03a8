/** Eigenvalues and eigenvectors of symmetric matrices, and singular values, by Jacobi rotations. */
import { Matrix } from '../autodiff/containers.ts';
import { identity } from './solve.ts';

export interface SymmetricEigen {
  /** Ascending. */
  readonly values: Float64Array;
  /** One column per eigenvalue, orthonormal; the largest component of each is positive. */
  readonly vectors: Matrix;
}

const maxSweeps = 60;

/** Cyclic Jacobi (Golub & Van Loan, *Matrix Computations*, section 8.5.3); only the lower triangle is used. */
export function symmetricEigen(a: Matrix): SymmetricEigen {
  const n = a.rows;
  const s = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) s[i + j * n] = s[j + i * n] = a.data[i + j * n];
  }
  const v = identity(n).data;
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    let off = 0;
    let total = 0;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const square = s[i + j * n] ** 2;
        total += square;
        if (i !== j) off += square;
      }
    }
    if (!(off > 1e-34 * total)) break;
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(s, v, n, p, q);
  }
  return ordered(s, v, n);
}

/** Zeroes element (p, q) by the symmetric Schur decomposition (ibid., algorithm 8.5.1). */
function rotate(s: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const off = s[p + q * n];
  if (off === 0) return;
  const tau = (s[q + q * n] - s[p + p * n]) / (2 * off);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
  const c = 1 / Math.hypot(1, t);
  const sine = t * c;
  for (let k = 0; k < n; k++) {
    const x = s[k + p * n];
    const y = s[k + q * n];
    s[k + p * n] = c * x - sine * y;
    s[k + q * n] = sine * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const x = s[p + k * n];
    const y = s[q + k * n];
    s[p + k * n] = c * x - sine * y;
    s[q + k * n] = sine * x + c * y;
    const u = v[k + p * n];
    const w = v[k + q * n];
    v[k + p * n] = c * u - sine * w;
    v[k + q * n] = sine * u + c * w;
  }
}

function ordered(s: Float64Array, v: Float64Array, n: number): SymmetricEigen {
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => s[i + i * n] - s[j + j * n]);
  const values = Float64Array.from(order, (i) => s[i + i * n]);
  const vectors = new Matrix(n, n, new Float64Array(n * n));
  for (const [k, from] of order.entries()) {
    let largest = 0;
    for (let i = 0; i < n; i++) {
      if (Math.abs(v[i + from * n]) > Math.abs(v[largest + from * n])) largest = i;
    }
    const sign = v[largest + from * n] < 0 ? -1 : 1;
    for (let i = 0; i < n; i++) vectors.data[i + k * n] = sign * v[i + from * n];
  }
  return { values, vectors };
}

export interface SingularValues {
  /** Descending; as many as the smaller side. */
  readonly values: Float64Array;
  readonly u: Matrix;
  readonly v: Matrix;
}

/** A = U diag(values) Vᵀ by one-sided Jacobi (Golub & Van Loan, section 8.6.3): columns of A V are made orthogonal. */
export function singularValues(a: Matrix): SingularValues {
  if (a.rows < a.cols) {
    const t = singularValues(transposed(a));
    return { values: t.values, u: t.v, v: t.u };
  }
  const { rows: m, cols: n } = a;
  const w = a.data.slice();
  const v = identity(n).data;
  for (let sweep = 0; sweep < maxSweeps; sweep++) {
    let rotated = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) rotated = orthogonalise(w, v, { m, n, p, q }) || rotated;
    }
    if (!rotated) break;
  }
  return orderedSingular(w, v, m, n);
}

interface ColumnPair {
  readonly m: number;
  readonly n: number;
  readonly p: number;
  readonly q: number;
}

function orthogonalise(w: Float64Array, v: Float64Array, { m, n, p, q }: ColumnPair): boolean {
  let pp = 0;
  let qq = 0;
  let pq = 0;
  for (let k = 0; k < m; k++) {
    pp += w[k + p * m] ** 2;
    qq += w[k + q * m] ** 2;
    pq += w[k + p * m] * w[k + q * m];
  }
  if (Math.abs(pq) <= 1e-17 * Math.sqrt(pp * qq) || pq === 0) return false;
  const tau = (qq - pp) / (2 * pq);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
  const c = 1 / Math.hypot(1, t);
  const s = t * c;
  for (const [array, rows] of [
    [w, m],
    [v, n],
  ] as const) {
    for (let k = 0; k < rows; k++) {
      const x = array[k + p * rows];
      const y = array[k + q * rows];
      array[k + p * rows] = c * x - s * y;
      array[k + q * rows] = s * x + c * y;
    }
  }
  return Math.abs(pq) > 1e-15 * Math.sqrt(pp * qq);
}

function orderedSingular(w: Float64Array, v: Float64Array, m: number, n: number): SingularValues {
  const norms = Array.from({ length: n }, (_, j) => Math.hypot(...w.subarray(j * m, (j + 1) * m)));
  const order = norms.map((_, j) => j).sort((i, j) => norms[j] - norms[i]);
  const u = new Matrix(m, n, new Float64Array(m * n));
  const right = new Matrix(n, n, new Float64Array(n * n));
  for (const [k, from] of order.entries()) {
    // the largest component of each right vector is positive, which makes the decomposition unique
    let largest = 0;
    for (let i = 0; i < n; i++) {
      if (Math.abs(v[i + from * n]) > Math.abs(v[largest + from * n])) largest = i;
    }
    const sign = v[largest + from * n] < 0 ? -1 : 1;
    for (let i = 0; i < n; i++) right.data[i + k * n] = sign * v[i + from * n];
    for (let i = 0; i < m; i++) {
      u.data[i + k * m] = norms[from] > 0 ? (sign * w[i + from * m]) / norms[from] : 0;
    }
  }
  return { values: Float64Array.from(order, (j) => norms[j]), u, v: right };
}

function transposed(a: Matrix): Matrix {
  const out = new Matrix(a.cols, a.rows, new Float64Array(a.data.length));
  for (let j = 0; j < a.cols; j++) {
    for (let i = 0; i < a.rows; i++) out.data[j + i * a.cols] = a.data[i + j * a.rows];
  }
  return out;
}
