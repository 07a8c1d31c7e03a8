/** Random vectors and matrices. */
import { Matrix } from '../autodiff/containers.ts';
import { multiply, multiplyTransposedRight } from '../linalg/products.ts';
import { identity, solveLower } from '../linalg/solve.ts';
import { drawBeta, drawChiSquare, drawLogGamma } from './continuous.ts';
import type { Rng } from './rng.ts';

/** n independent standard normals. */
export function drawNormals(rng: Rng, n: number): Float64Array {
  const z = new Float64Array(n);
  for (let i = 0; i < n; i++) z[i] = rng.normal();
  return z;
}

/** mu + scale × L z for lower triangular L. */
export function shiftByFactor(
  mu: Float64Array,
  l: Matrix,
  z: Float64Array,
  scale = 1,
): Float64Array {
  const n = mu.length;
  const out = mu.slice();
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) out[i] += scale * l.data[i + j * n] * z[j];
  }
  return out;
}

/** Dirichlet as normalised gammas, in logarithms so that small shapes do not give 0/0. */
export function drawDirichlet(rng: Rng, alpha: Float64Array): Float64Array {
  const logs = alpha.map((a) => drawLogGamma(rng, a));
  const max = Math.max(...logs);
  const x = logs.map((l) => Math.exp(l - max));
  const total = x.reduce((a, b) => a + b, 0);
  return x.map((e) => e / total);
}

/**
 * Cholesky factor of an LKJ(eta) correlation matrix: row by row from a beta radius and a uniform direction (the "onion"
 * of Lewandowski, Kurowicka & Joe 2009, section 3.2).
 */
export function drawLkjFactor(rng: Rng, k: number, eta: number): Matrix {
  const l = new Matrix(k, k, new Float64Array(k * k));
  if (k === 0) return l;
  l.data[0] = 1;
  for (let i = 1; i < k; i++) {
    // the squared length of row i left of the diagonal
    const r2 = drawBeta(rng, 0.5 * i, eta + 0.5 * (k - 1 - i));
    const z = drawNormals(rng, i);
    const length = Math.sqrt(z.reduce((s, x) => s + x * x, 0));
    for (let j = 0; j < i; j++) l.data[i + j * k] = (z[j] / length) * Math.sqrt(r2);
    l.data[i + i * k] = Math.sqrt(1 - r2);
  }
  return l;
}

/** The Cholesky factor of Wishart(nu, I): Bartlett's decomposition. */
function drawBartlett(rng: Rng, nu: number, k: number): Matrix {
  const b = new Matrix(k, k, new Float64Array(k * k));
  for (let j = 0; j < k; j++) {
    b.data[j + j * k] = Math.sqrt(drawChiSquare(rng, nu - j));
    for (let i = j + 1; i < k; i++) b.data[i + j * k] = rng.normal();
  }
  return b;
}

/** The factor of a Wishart(nu, L Lᵀ) matrix. */
export function drawWishartFactor(rng: Rng, nu: number, l: Matrix): Matrix {
  return multiply(l, drawBartlett(rng, nu, l.rows));
}

/** Inverse Wishart(nu, L Lᵀ): L (B Bᵀ)⁻¹ Lᵀ = C Cᵀ with C = L B⁻ᵀ, B the factor of a Wishart(nu, I). */
export function drawInvWishart(rng: Rng, nu: number, l: Matrix): Matrix {
  const inverse = solveLower(drawBartlett(rng, nu, l.rows), identity(l.rows));
  const c = multiplyTransposedRight(l, inverse);
  return multiplyTransposedRight(c, c);
}
