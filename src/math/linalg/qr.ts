/** The thin QR factorisation by Householder reflections, with a positive diagonal of R, and its reverse derivative. */
import { Matrix } from '../autodiff/containers.ts';
import { lowerTriangle, multiply, multiplyTransposedLeft, transpose } from './products.ts';
import { solveLower } from './solve.ts';

export interface QrFactors {
  /** rows × rows when full, otherwise rows × min(rows, cols). */
  readonly q: Matrix;
  /** Upper triangular, diagonal ≥ 0 (Stan's convention). */
  readonly r: Matrix;
}

/** Golub & Van Loan, *Matrix Computations*, algorithm 5.2.1. `full`: Q square. */
export function factorQr(a: Matrix, full: boolean): QrFactors {
  const { rows: m, cols: n } = a;
  const k = Math.min(m, n);
  const width = full ? m : k;
  const w = a.data.slice();
  const reflectors: Float64Array[] = [];
  for (let j = 0; j < k; j++) {
    const v = new Float64Array(m);
    let norm = 0;
    for (let i = j; i < m; i++) norm = Math.hypot(norm, w[i + j * m]);
    for (let i = j; i < m; i++) v[i] = w[i + j * m];
    v[j] += v[j] < 0 ? -norm : norm;
    reflect(v, w, m, n, j);
    reflectors.push(v);
  }
  const q = new Float64Array(m * width);
  for (let i = 0; i < width; i++) q[i + i * m] = 1;
  for (let j = k - 1; j >= 0; j--) reflect(reflectors[j], q, m, width, j);
  const r = new Float64Array(width * n);
  for (let j = 0; j < n; j++)
    for (let i = 0; i <= Math.min(j, width - 1); i++) r[i + j * width] = w[i + j * m];
  for (let i = 0; i < k; i++) {
    if (r[i + i * width] >= 0) continue;
    for (let j = 0; j < n; j++) r[i + j * width] = -r[i + j * width];
    for (let row = 0; row < m; row++) q[row + i * m] = -q[row + i * m];
  }
  return { q: new Matrix(m, width, q), r: new Matrix(width, n, r) };
}

/** w ← (I − 2 v vᵀ/|v|²) w, rows from `from` on. */
function reflect(v: Float64Array, w: Float64Array, m: number, n: number, from: number): void {
  let length = 0;
  for (let i = from; i < m; i++) length += v[i] * v[i];
  if (length === 0) return;
  for (let j = 0; j < n; j++) {
    let dot = 0;
    for (let i = from; i < m; i++) dot += v[i] * w[i + j * m];
    const f = (2 * dot) / length;
    for (let i = from; i < m; i++) w[i + j * m] -= f * v[i];
  }
}

/**
 * Adjoint of A (rows ≥ cols, full column rank) from those of thin Q and R: with M = R dRᵀ − dQᵀ Q,
 * dA = (dQ + Q copyltu(M)) R⁻ᵀ (Walter & Lehmann 2018, arXiv:1001.1654, section 4.5).
 */
export function qrReverse({ q, r }: QrFactors, dq: Matrix, dr: Matrix): Matrix {
  const n = r.rows;
  const m = multiply(r, transpose(dr));
  const s = multiplyTransposedLeft(dq, q);
  for (let i = 0; i < m.data.length; i++) m.data[i] -= s.data[i];
  // the lower triangle of M copied above the diagonal
  const symmetric = lowerTriangle(m);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < j; i++) symmetric.data[i + j * n] = m.data[j + i * n];
  const left = multiply(q, symmetric);
  for (let i = 0; i < left.data.length; i++) left.data[i] += dq.data[i];
  // X Rᵀ = left: R Xᵀ = leftᵀ, back substitution through the reversed lower triangular form
  return transpose(solveUpper(r, transpose(left)));
}

/** R⁻¹ B for upper triangular R: both reversed, R is lower triangular. */
function solveUpper(r: Matrix, b: Matrix): Matrix {
  const n = r.rows;
  const flip = (x: Matrix): Matrix => {
    const out = new Matrix(x.rows, x.cols, new Float64Array(x.data.length));
    for (let j = 0; j < x.cols; j++) {
      for (let i = 0; i < x.rows; i++)
        out.data[i + j * x.rows] = x.data[x.rows - 1 - i + j * x.rows];
    }
    return out;
  };
  const l = new Matrix(n, n, r.data.slice().reverse());
  return flip(solveLower(l, flip(b)));
}
