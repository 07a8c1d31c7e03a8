/**
 * The Laplace approximation of log ∫ p(y | θ, η) normal(θ | 0, K) dθ, with derivatives in K and η (Margossian, Vehtari, Simpson
 * and Agrawal 2020; Margossian 2023 for any likelihood), and of the posterior of θ.
 *
 * log Z = log p(y | θ̂) − θ̂ᵀK⁻¹θ̂/2 − log|I + K W|/2. Its derivative in θ̂ is that of the determinant alone, and θ̂ moves
 * like the root of θ = K ∂ log p/∂θ.
 */
import { Matrix } from '../autodiff/containers.ts';
import { DomainError } from '../errors.ts';
import { mapped, multiply } from '../linalg/products.ts';
import { type Blocks, newBlocks, rootOfBlocks, semidefiniteRoot } from './blocks.ts';
import { findMode, type LaplaceOptions, type Mode } from './find-mode.ts';
import type { LatentLikelihood } from './latent-likelihood.ts';

export const logMarginal = ({ objective, system }: Mode): number =>
  objective - 0.5 * system.logDeterminant;

/** The mode, to which the likelihood has moved. */
export function laplaceMode(
  name: string,
  k: Matrix,
  likelihood: LatentLikelihood,
  options: LaplaceOptions,
): Mode {
  const mode = findMode(name, k, likelihood, options);
  likelihood.requireBlocks(name, mode.w);
  return mode;
}

/** (K⁻¹ + W)⁻¹ = K − K R K, the covariance of the approximation. */
function posteriorCovariance(k: Matrix, r: Matrix): Matrix {
  const taken = multiply(k, multiply(r, k)).data;
  return mapped(k, (x, i) => x - taken[i]);
}

/** L with L Lᵀ the covariance of the approximation. */
export function posteriorFactor(name: string, k: Matrix, { system }: Mode): Matrix {
  const n = k.rows;
  const factor = semidefiniteRoot(posteriorCovariance(k, system.full()).data, n, largestOf(k));
  if (factor === null)
    throw new DomainError(`${name}: the covariance at the mode is not positive definite`);
  return new Matrix(n, n, factor);
}

export interface MarginalGradient {
  /** In each entry of K, column-major. */
  readonly k: Float64Array;
  readonly eta: Float64Array;
}

export function marginalGradient(
  name: string,
  k: Matrix,
  likelihood: LatentLikelihood,
  mode: Mode,
): MarginalGradient {
  const n = k.rows;
  const r = mode.system.full();
  const ofTrace = gradientOfTrace(likelihood, posteriorRoot(name, k, r, mode.w.size));
  // how log Z changes with θ̂, and thus with what θ̂ depends on: u = (I + W K)⁻¹ s
  const s = ofTrace.subarray(0, n);
  const shift = multiply(r, multiply(k, new Matrix(n, 1, Float64Array.from(s)))).data;
  const u = Float64Array.from(s, (x, i) => x - shift[i]);
  const { a } = mode;
  const ofK = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++)
      ofK[i + j * n] = 0.5 * (a[i] * a[j] - r.data[i + j * n]) + u[i] * a[j];
  }
  const moved = likelihood.along(multiply(k, new Matrix(n, 1, u)).data, 1);
  const direct = likelihood.gradient();
  const eta = Float64Array.from(
    { length: likelihood.numInputs - n },
    (_, i) => direct[n + i] + ofTrace[n + i] + moved[n + i],
  );
  return { k: ofK, eta };
}

const largestOf = (k: Matrix): number => k.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** The diagonal blocks of (K⁻¹ + W)⁻¹, as C of C Cᵀ. */
function posteriorRoot(name: string, k: Matrix, r: Matrix, size: number): Blocks {
  const n = k.rows;
  const rk = multiply(r, k).data;
  const blocks = newBlocks(n, size);
  for (let j = 0; j < n; j++) {
    const start = j - (j % size);
    for (let b = 0; b < size; b++) {
      let entry = k.data[start + b + j * n];
      for (let i = 0; i < n; i++) entry -= k.data[start + b + i * n] * rk[i + j * n];
      blocks.data[j * size + b] = entry;
    }
  }
  const root = rootOfBlocks(blocks, largestOf(k));
  if (root === null)
    throw new DomainError(`${name}: the covariance at the mode is not positive definite`);
  return root;
}

/**
 * The gradient of tr(A H)/2, H the Hessian of the log likelihood in θ: with A = C Cᵀ = Σ vvᵀ it is that of the second derivatives
 * along the v. As H has no entries between blocks, one v may span all of them.
 */
function gradientOfTrace(likelihood: LatentLikelihood, root: Blocks): Float64Array {
  const { n, size, data } = root;
  const sum = new Float64Array(likelihood.numInputs);
  const v = new Float64Array(n);
  for (let column = 0; column < size; column++) {
    for (let i = 0; i < n; i++) v[i] = data[(i - (i % size) + column) * size + (i % size)];
    likelihood.along(v, 2).forEach((x, i) => {
      sum[i] += 0.5 * x;
    });
  }
  return sum;
}
