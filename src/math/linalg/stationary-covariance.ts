/**
 * Covariances of fixed points with one length scale, the usual Gaussian process. For each pair of points, the only cost
 * is a call to the kernel: no objects, no lists, no other calls.
 */
import type { Points, StationaryKernel } from './covariance.ts';

/** σ and ℓ of σ² k(|x_i − x_j|² / ℓ²). */
export interface Scales {
  readonly sigma: number;
  readonly length: number;
}

function squaredDistance(values: Float64Array, dims: number, i: number, j: number): number {
  if (dims === 1) {
    const d = values[i] - values[j];
    return d * d;
  }
  let q = 0;
  for (let d = 0; d < dims; d++) {
    const z = values[i * dims + d] - values[j * dims + d];
    q += z * z;
  }
  return q;
}

/** Writes the covariance matrix, column-major, to `out[first …]`. */
export function fillStationary(
  kernel: StationaryKernel,
  { count: n, dims, values }: Points,
  { sigma, length }: Scales,
  out: Float64Array,
  first: number,
): void {
  const variance = sigma * sigma;
  const precision = 1 / (length * length);
  const { k } = kernel;
  for (let j = 0; j < n; j++) {
    const column = first + j * n;
    out[column + j] = variance;
    for (let i = j + 1; i < n; i++) {
      const entry = variance * k(squaredDistance(values, dims, i, j) * precision);
      out[column + i] = entry;
      out[first + j + i * n] = entry;
    }
  }
}

/** The derivatives of Σ g_ij K_ij in σ and ℓ; `out` holds the matrix and `g` its adjoint, both from `first` on. */
export function reverseStationary(
  kernel: StationaryKernel,
  { count: n, dims, values }: Points,
  { sigma, length }: Scales,
  out: Float64Array,
  g: Float64Array,
  first: number,
): { readonly dSigma: number; readonly dLength: number } {
  const variance = sigma * sigma;
  const precision = 1 / (length * length);
  const { dq } = kernel;
  let sum = 0;
  let slopes = 0;
  for (let j = 0; j < n; j++) {
    const column = first + j * n;
    sum += g[column + j] * variance;
    for (let i = j + 1; i < n; i++) {
      const total = g[column + i] + g[first + j + i * n];
      if (total === 0) continue;
      const entry = out[column + i];
      const q = squaredDistance(values, dims, i, j) * precision;
      sum += total * entry;
      slopes += total * dq(q, entry / variance) * q;
    }
  }
  return { dSigma: (2 * sum) / sigma, dLength: (-2 * variance * slopes) / length };
}
