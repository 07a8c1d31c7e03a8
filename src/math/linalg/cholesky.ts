/** The Cholesky factorisation and its reverse derivative; matrices are column-major Float64Arrays. */

/** Lower L with L Lᵀ = A (only the lower triangle of the n × n `a` is read), or null when A is not positive definite. */
export function choleskyFactor(a: Float64Array, n: number): Float64Array | null {
  const l = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) l[i + j * n] = a[i + j * n];
  }
  // left-looking by columns (Golub & Van Loan, Matrix Computations, algorithm 4.2.1): inner loops run down columns
  for (let j = 0; j < n; j++) {
    const column = j * n;
    for (let k = 0; k < j; k++) {
      const f = l[j + k * n];
      if (f === 0) continue;
      const other = k * n;
      for (let i = j; i < n; i++) l[column + i] -= f * l[other + i];
    }
    const d = l[column + j];
    if (!(d > 0 && d < Infinity)) return null;
    const root = Math.sqrt(d);
    const inv = 1 / root;
    l[column + j] = root;
    for (let i = j + 1; i < n; i++) l[column + i] *= inv;
  }
  return l;
}

/**
 * Adjoint of A from the adjoint `g` of its factor L (both lower triangular, column-major); `g` is overwritten and
 * returned: its lower triangle then holds dA/d(lower entries of A), as when only those are read.
 * Murray (2016), "Differentiation of the Cholesky decomposition", arXiv:1602.07527, unblocked reverse algorithm.
 */
export function choleskyReverse(l: Float64Array, g: Float64Array, n: number): Float64Array {
  for (let j = n - 1; j >= 0; j--) {
    const column = j * n;
    const d = l[column + j];
    let dot = 0;
    for (let i = j + 1; i < n; i++) dot += g[column + i] * l[column + i];
    g[column + j] = (g[column + j] - dot / d) / d;
    for (let i = j + 1; i < n; i++) g[column + i] /= d;
    // g[j, k] -= g[j, j] l[j, k] + Σ_i g[i, j] l[i, k]; g[i, k] -= g[i, j] l[j, k] for k < j < i
    for (let k = 0; k < j; k++) {
      const other = k * n;
      const ljk = l[other + j];
      let sum = g[column + j] * ljk;
      for (let i = j + 1; i < n; i++) {
        const gij = g[column + i];
        sum += gij * l[other + i];
        g[other + i] -= gij * ljk;
      }
      g[other + j] -= sum;
    }
    g[column + j] *= 0.5;
  }
  return g;
}
