/** The Cholesky factorisation and its reverse derivative; matrices are column-major Float64Arrays. */
import { denseFor } from './dense.ts';

/** Lower L with L Lᵀ = A (only the lower triangle of the n × n `a` is read), or null when A is not positive definite. */
export function choleskyFactor(a: Float64Array, n: number): Float64Array | null {
  const l = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) l[i + j * n] = a[i + j * n];
  }
  return choleskyInPlace(l, n) ? l : null;
}

/** The lower triangle of A, in `l[at … at + n² − 1]`, becomes that of its factor; false when A is not positive definite. */
export function choleskyInPlace(l: Float64Array, n: number, at = 0): boolean {
  const dense = denseFor(n * n * n, n * n);
  if (dense === null) return smallFactorInPlace(l, n, at);
  dense.put(0, l, at, n * n);
  const isFactor = dense.factor(n);
  dense.take(0, n * n, l, at);
  return isFactor;
}

function smallFactorInPlace(l: Float64Array, n: number, at: number): boolean {
  // left-looking by columns (Golub & Van Loan, Matrix Computations, algorithm 4.2.1): inner loops run down two columns
  // and use four earlier columns per pass
  for (let j = 0; j < n; j += 2) {
    const isPair = j + 1 < n;
    let k = 0;
    // the last of an odd number of columns has one row
    if (isPair) for (; k + 3 < j; k += 4) takeFromPair(l, n, at, j, k);
    for (; k < j; k++) {
      takeColumn(l, n, at, j, k);
      if (isPair) takeColumn(l, n, at, j + 1, k);
    }
    if (!scaleColumn(l, n, at, j)) return false;
    if (!isPair) continue;
    takeColumn(l, n, at, j + 1, j);
    if (!scaleColumn(l, n, at, j + 1)) return false;
  }
  return true;
}

/** Columns j and j + 1 less their shares of columns k to k + 3. */
function takeFromPair(l: Float64Array, n: number, at: number, j: number, k: number): void {
  const p0 = at + k * n;
  const p1 = p0 + n;
  const p2 = p1 + n;
  const p3 = p2 + n;
  const first = at + j * n;
  const second = first + n;
  const f0 = l[p0 + j];
  const f1 = l[p1 + j];
  const f2 = l[p2 + j];
  const f3 = l[p3 + j];
  const g0 = l[p0 + j + 1];
  const g1 = l[p1 + j + 1];
  const g2 = l[p2 + j + 1];
  const g3 = l[p3 + j + 1];
  l[first + j] -= f0 * f0 + f1 * f1 + f2 * f2 + f3 * f3;
  for (let i = j + 1; i < n; i++) {
    const x0 = l[p0 + i];
    const x1 = l[p1 + i];
    const x2 = l[p2 + i];
    const x3 = l[p3 + i];
    l[first + i] -= f0 * x0 + f1 * x1 + f2 * x2 + f3 * x3;
    l[second + i] -= g0 * x0 + g1 * x1 + g2 * x2 + g3 * x3;
  }
}

/** Column j less its share of column k. */
function takeColumn(l: Float64Array, n: number, at: number, j: number, k: number): void {
  const column = at + j * n;
  const other = at + k * n;
  const f = l[other + j];
  for (let i = j; i < n; i++) l[column + i] -= f * l[other + i];
}

function scaleColumn(l: Float64Array, n: number, at: number, j: number): boolean {
  const column = at + j * n;
  const d = l[column + j];
  if (!(d > 0 && d < Infinity)) return false;
  const root = Math.sqrt(d);
  const inv = 1 / root;
  l[column + j] = root;
  for (let i = j + 1; i < n; i++) l[column + i] *= inv;
  return true;
}

/** Columns that the reverse algorithm handles together: each element to the left is loaded and stored once for all. */
const blockSize = 4;

/**
 * Adjoint of A from the adjoint `g` of its factor L (both lower triangular, column-major); `g` is overwritten and
 * returned: its lower triangle then holds dA/d(lower entries of A), as if only those are read. Both begin at `at`.
 * Murray (2016), "Differentiation of the Cholesky decomposition", arXiv:1602.07527, blocked reverse algorithm.
 */
export function choleskyReverse(l: Float64Array, g: Float64Array, n: number, at = 0): Float64Array {
  const size = n * n;
  const dense = denseFor(size * n, 2 * size);
  if (dense === null) return smallReverse(l, g, n, at);
  dense.put(0, l, at, size);
  dense.put(size, g, at, size);
  dense.factorAdjoint(n);
  dense.take(size, size, g, at);
  return g;
}

function smallReverse(l: Float64Array, g: Float64Array, n: number, at: number): Float64Array {
  for (let end = n; end > 0; end -= blockSize) {
    const start = Math.max(0, end - blockSize);
    reverseBelow(l, g, n, at, start, end);
    reverseDiagonal(l, g, n, at, start, end);
    if (start > 0) reverseLeft(l, g, n, at, start);
  }
  return g;
}

/** C̄ ← C̄ D⁻¹ and D̄ ← D̄ − tril(C̄ᵀ C), with the block D on the diagonal and the rows C below it. */
function reverseBelow(
  l: Float64Array,
  g: Float64Array,
  n: number,
  at: number,
  start: number,
  end: number,
): void {
  for (let j = end - 1; j >= start; j--) {
    const column = at + j * n;
    for (let p = j + 1; p < end; p++) {
      const other = at + p * n;
      const f = l[column + p];
      for (let i = end; i < n; i++) g[column + i] -= g[other + i] * f;
    }
    const inv = 1 / l[column + j];
    for (let i = end; i < n; i++) g[column + i] *= inv;
  }
  for (let j = start; j < end; j++) {
    const column = at + j * n;
    for (let p = j; p < end; p++) {
      const other = at + p * n;
      let dot = 0;
      for (let i = end; i < n; i++) dot += g[other + i] * l[column + i];
      g[column + p] -= dot;
    }
  }
}

/** The unblocked algorithm within the diagonal block. */
function reverseDiagonal(
  l: Float64Array,
  g: Float64Array,
  n: number,
  at: number,
  start: number,
  end: number,
): void {
  for (let j = end - 1; j >= start; j--) {
    const column = at + j * n;
    const d = l[column + j];
    let dot = 0;
    for (let i = j + 1; i < end; i++) dot += g[column + i] * l[column + i];
    g[column + j] = (g[column + j] - dot / d) / d;
    for (let i = j + 1; i < end; i++) g[column + i] /= d;
    // g[j, k] -= g[j, j] l[j, k] + Σ_i g[i, j] l[i, k]; g[i, k] -= g[i, j] l[j, k] for k < j < i
    for (let k = start; k < j; k++) {
      const other = at + k * n;
      const ljk = l[other + j];
      let sum = g[column + j] * ljk;
      for (let i = j + 1; i < end; i++) {
        const gij = g[column + i];
        sum += gij * l[other + i];
        g[other + i] -= gij * ljk;
      }
      g[other + j] -= sum;
    }
    g[column + j] *= 0.5;
  }
}

/** B̄ ← B̄ − C̄ R and R̄ ← R̄ − C̄ᵀ B − (D̄ + D̄ᵀ) R, with R left of the block of four rows and B below R. */
function reverseLeft(
  l: Float64Array,
  g: Float64Array,
  n: number,
  from: number,
  start: number,
): void {
  const c0 = from + start * n;
  const c1 = c0 + n;
  const c2 = c1 + n;
  const c3 = c2 + n;
  for (let k = 0; k < start; k++) {
    const left = from + k * n;
    const at = left + start;
    const r0 = l[at];
    const r1 = l[at + 1];
    const r2 = l[at + 2];
    const r3 = l[at + 3];
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let i = start + blockSize; i < n; i++) {
      const b = l[left + i];
      const g0 = g[c0 + i];
      const g1 = g[c1 + i];
      const g2 = g[c2 + i];
      const g3 = g[c3 + i];
      s0 += g0 * b;
      s1 += g1 * b;
      s2 += g2 * b;
      s3 += g3 * b;
      g[left + i] -= g0 * r0 + g1 * r1 + g2 * r2 + g3 * r3;
    }
    // lower entries of D̄, whose diagonal is halved
    const [d10, d20, d30] = [g[c0 + start + 1], g[c0 + start + 2], g[c0 + start + 3]];
    const [d21, d31, d32] = [g[c1 + start + 2], g[c1 + start + 3], g[c2 + start + 3]];
    g[at] -= s0 + 2 * g[c0 + start] * r0 + d10 * r1 + d20 * r2 + d30 * r3;
    g[at + 1] -= s1 + d10 * r0 + 2 * g[c1 + start + 1] * r1 + d21 * r2 + d31 * r3;
    g[at + 2] -= s2 + d20 * r0 + d21 * r1 + 2 * g[c2 + start + 2] * r2 + d32 * r3;
    g[at + 3] -= s3 + d30 * r0 + d31 * r1 + d32 * r2 + 2 * g[c3 + start + 3] * r3;
  }
}
