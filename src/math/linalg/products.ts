/** Products of dense column-major matrices; inner loops run down columns. */
import { Matrix } from '../autodiff/containers.ts';
import { ShapeError } from '../errors.ts';
import { type Dense, denseFor } from './dense.ts';

/** Fewer columns than this do not pay for copying the matrix that is multiplied with them to the dense kernels. */
export const fewestColumns = 4;

/** The matrix of f(x, k) for each element x, at place k of its numbers. */
export function mapped(a: Matrix, f: (x: number, k: number) => number): Matrix {
  return new Matrix(a.rows, a.cols, a.data.map(f));
}

export function zeros(rows: number, cols: number): Matrix {
  return new Matrix(rows, cols, new Float64Array(rows * cols));
}

/** The dense kernels with A at 0 and B behind it; null for small matrices, and if one is hardly more than a vector. */
function denseOperands(
  a: Matrix,
  b: Matrix,
  rows: number,
  cols: number,
  inner: number,
): Dense | null {
  if (Math.min(rows, cols, inner) < fewestColumns) return null;
  const size = a.data.length + b.data.length;
  const dense = denseFor(rows * cols * inner, size + rows * cols);
  dense?.put(0, a.data, 0, a.data.length);
  dense?.put(a.data.length, b.data, 0, b.data.length);
  return dense;
}

function takeProduct(dense: Dense, c: number, rows: number, cols: number): Matrix {
  const out = zeros(rows, cols);
  dense.take(c, rows * cols, out.data, 0);
  return out;
}

/** A B. Four columns of A per pass: each element of the result is loaded and stored a quarter as often. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  if (a.cols !== b.rows) {
    throw new ShapeError(
      `multiply: ${a.rows} × ${a.cols} times ${b.rows} × ${b.cols}: columns and rows must match`,
    );
  }
  const { rows: m, cols: inner } = a;
  const dense = denseOperands(a, b, m, b.cols, inner);
  if (dense !== null) {
    const c = a.data.length + b.data.length;
    dense.multiply(c, a.data.length, m, inner, b.cols);
    return takeProduct(dense, c, m, b.cols);
  }
  const out = zeros(m, b.cols);
  const x = a.data;
  const y = b.data;
  const z = out.data;
  for (let j = 0; j < b.cols; j++) {
    const column = j * m;
    const factors = j * inner;
    let k = 0;
    for (; k + 3 < inner; k += 4) {
      const f0 = y[factors + k];
      const f1 = y[factors + k + 1];
      const f2 = y[factors + k + 2];
      const f3 = y[factors + k + 3];
      const x0 = k * m;
      const x1 = x0 + m;
      const x2 = x1 + m;
      const x3 = x2 + m;
      for (let i = 0; i < m; i++) {
        z[column + i] += f0 * x[x0 + i] + f1 * x[x1 + i] + f2 * x[x2 + i] + f3 * x[x3 + i];
      }
    }
    for (; k < inner; k++) {
      const f = y[factors + k];
      const from = k * m;
      for (let i = 0; i < m; i++) z[column + i] += f * x[from + i];
    }
  }
  return out;
}

/** Aᵀ B. */
export function multiplyTransposedLeft(a: Matrix, b: Matrix): Matrix {
  const { rows: n } = a;
  const dense = denseOperands(a, b, a.cols, b.cols, n);
  if (dense !== null) {
    const c = a.data.length + b.data.length;
    dense.multiplyTransposed(c, a.data.length, a.cols, n, b.cols);
    return takeProduct(dense, c, a.cols, b.cols);
  }
  const out = zeros(a.cols, b.cols);
  const x = a.data;
  const y = b.data;
  for (let j = 0; j < b.cols; j++) {
    for (let i = 0; i < a.cols; i++) {
      const p = i * n;
      const q = j * n;
      out.data[i + j * a.cols] = dotRange(x, p, y, q, n);
    }
  }
  return out;
}

/** Σ x[p + k] y[q + k] over n terms, as four sums so that additions need not wait for each other. */
export function dotRange(
  x: Float64Array,
  p: number,
  y: Float64Array,
  q: number,
  n: number,
): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 3 < n; k += 4) {
    s0 += x[p + k] * y[q + k];
    s1 += x[p + k + 1] * y[q + k + 1];
    s2 += x[p + k + 2] * y[q + k + 2];
    s3 += x[p + k + 3] * y[q + k + 3];
  }
  for (; k < n; k++) s0 += x[p + k] * y[q + k];
  return s0 + s1 + (s2 + s3);
}

/** A Bᵀ. */
export function multiplyTransposedRight(a: Matrix, b: Matrix): Matrix {
  const { rows: m } = a;
  const { rows: n } = b;
  const dense = denseOperands(a, b, m, n, a.cols);
  if (dense !== null) {
    const c = a.data.length + b.data.length;
    dense.multiplyByTransposed(c, a.data.length, m, a.cols, n);
    return takeProduct(dense, c, m, n);
  }
  const out = zeros(m, n);
  const x = a.data;
  const y = b.data;
  const z = out.data;
  for (let k = 0; k < a.cols; k++) {
    const from = k * m;
    for (let j = 0; j < n; j++) {
      const f = y[j + k * n];
      const column = j * m;
      for (let i = 0; i < m; i++) z[column + i] += f * x[from + i];
    }
  }
  return out;
}

export function transpose(a: Matrix): Matrix {
  const out = zeros(a.cols, a.rows);
  for (let j = 0; j < a.cols; j++) {
    for (let i = 0; i < a.rows; i++) out.data[j + i * a.cols] = a.data[i + j * a.rows];
  }
  return out;
}

/** A + Aᵀ. */
export function addTranspose(a: Matrix): Matrix {
  const out = transpose(a);
  for (let i = 0; i < out.data.length; i++) out.data[i] += a.data[i];
  return out;
}

/** target += factor × source. */
export function addScaled(target: Float64Array, source: Float64Array, factor = 1): void {
  for (let i = 0; i < target.length; i++) target[i] += factor * source[i];
}

/** A copy with zeros above the diagonal. */
export function lowerTriangle(a: Matrix): Matrix {
  const out = new Matrix(a.rows, a.cols, a.data.slice());
  for (let j = 1; j < a.cols; j++) out.data.fill(0, j * a.rows, j * a.rows + Math.min(j, a.rows));
  return out;
}

/**
 * The adjoint of a symmetric argument whose lower triangle alone is read: entries above the diagonal are added to
 * those below.
 */
export function foldToLower(g: Matrix): Float64Array {
  const n = g.rows;
  const out = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    out[j + j * n] = g.data[j + j * n];
    for (let i = j + 1; i < n; i++) out[i + j * n] = g.data[i + j * n] + g.data[j + i * n];
  }
  return out;
}
