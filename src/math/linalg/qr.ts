/** QR factorisation by Householder reflections, with a positive diagonal of R, and its reverse derivative. */
import { Matrix } from '../autodiff/containers.ts';

export interface QrFactors {
  /** rows × rows when full, otherwise rows × min(rows, cols). */
  readonly q: Matrix;
  /** Upper triangular, diagonal ≥ 0 (Stan's convention). */
  readonly r: Matrix;
}

/** Golub & Van Loan, *Matrix Computations*, algorithm 5.2.1. `full`: Q square. */
export function factorQr(a: Matrix, full: boolean): QrFactors {
  const { rows: m, cols: n } = a;
  const { w, reflectors } = triangularise(a);
  const width = full ? m : reflectors.length;
  const q = productOf(reflectors, m, width);
  const r = new Float64Array(width * n);
  for (let j = 0; j < n; j++)
    for (let i = 0; i <= Math.min(j, width - 1); i++) r[i + j * width] = w[i + j * m];
  for (let i = 0; i < reflectors.length; i++) {
    if (r[i + i * width] >= 0) continue;
    for (let j = 0; j < n; j++) r[i + j * width] = -r[i + j * width];
    for (let row = 0; row < m; row++) q[row + i * m] = -q[row + i * m];
  }
  return { q: new Matrix(m, width, q), r: new Matrix(width, n, r) };
}

/** Reflections that make A upper triangular, in order, and A after they are applied. */
function triangularise(a: Matrix): {
  readonly w: Float64Array;
  readonly reflectors: Float64Array[];
} {
  const { rows: m, cols: n } = a;
  const w = a.data.slice();
  const reflectors: Float64Array[] = [];
  for (let j = 0; j < Math.min(m, n); j++) {
    const v = new Float64Array(m);
    let norm = 0;
    for (let i = j; i < m; i++) norm = Math.hypot(norm, w[i + j * m]);
    for (let i = j; i < m; i++) v[i] = w[i + j * m];
    v[j] += v[j] < 0 ? -norm : norm;
    reflect(v, w, m, n, j);
    reflectors.push(v);
  }
  return { w, reflectors };
}

/** The first columns of the product of the reflections. */
function productOf(reflectors: readonly Float64Array[], m: number, width: number): Float64Array {
  const q = new Float64Array(m * width);
  for (let i = 0; i < width; i++) q[i + i * m] = 1;
  for (let j = reflectors.length - 1; j >= 0; j--) reflect(reflectors[j], q, m, width, j);
  return q;
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
 * Adjoint of A from those of Q and R as returned by {@link factorQr}, null for none: its steps in reverse. So
 * columns of Q beyond those of A, which A does not determine, have the derivative of the reflections, as Stan's do.
 */
export function qrReverse(a: Matrix, full: boolean, dq: Matrix | null, dr: Matrix | null): Matrix {
  const { rows: m, cols: n } = a;
  const { w, reflectors } = triangularise(a);
  const width = full ? m : reflectors.length;
  const sign = reflectors.map((_, i) => (w[i + i * m] < 0 ? -1 : 1));
  const dReflectors = reflectors.map(() => new Float64Array(m));
  if (dq !== null) {
    const q = productOf(reflectors, m, width);
    const out = dq.data.map((d, k) => d * (sign[Math.floor(k / m)] ?? 1));
    for (const [j, v] of reflectors.entries()) {
      reflect(v, q, m, width, j);
      addToReflector(dReflectors[j], { v, x: q, dy: out }, m, width);
      reflect(v, out, m, width, j);
    }
  }
  const dw = new Float64Array(m * n);
  for (let j = 0; j < n; j++)
    for (let i = 0; i <= Math.min(j, reflectors.length - 1); i++)
      dw[i + j * m] = dr === null ? 0 : sign[i] * dr.data[i + j * width];
  for (let j = reflectors.length - 1; j >= 0; j--) {
    const v = reflectors[j];
    const dv = dReflectors[j];
    reflect(v, w, m, n, j);
    addToReflector(dv, { v, x: w, dy: dw }, m, n);
    reflect(v, dw, m, n, j);
    // v is the column, with its norm added to the first element
    const norm = Math.abs(v[j] - w[j + j * m]);
    const dNorm = norm === 0 ? 0 : (w[j + j * m] < 0 ? -dv[j] : dv[j]) / norm;
    for (let i = j; i < m; i++) dw[i + j * m] += dv[i] + dNorm * w[i + j * m];
  }
  return new Matrix(m, n, dw);
}

/** Adds the contribution of y = (I − 2 v vᵀ/|v|²) x to dv, by column: −2/|v|² (s g + t x) + 4 s t v/|v|⁴, s = vᵀx, t = vᵀg. */
function addToReflector(
  dv: Float64Array,
  { v, x, dy }: { readonly v: Float64Array; readonly x: Float64Array; readonly dy: Float64Array },
  m: number,
  n: number,
): void {
  let length = 0;
  for (const entry of v) length += entry * entry;
  if (length === 0) return;
  for (let j = 0; j < n; j++) {
    let s = 0;
    let t = 0;
    for (let i = 0; i < m; i++) {
      s += v[i] * x[i + j * m];
      t += v[i] * dy[i + j * m];
    }
    for (let i = 0; i < m; i++) {
      const straight = s * dy[i + j * m] + t * x[i + j * m];
      dv[i] += (2 / length) * ((2 * s * t * v[i]) / length - straight);
    }
  }
}
