/**
 * Covariances of fixed points with one length scale, the usual Gaussian process. For each pair of points, the only cost
 * is a call to the kernel: no objects, no lists, no other calls; if distances repeat, not even that.
 */
import type { Points, StationaryKernel } from './covariance.ts';
import { type RepeatedDistances, squaredDistance } from './repeated-distances.ts';

/** σ and ℓ of σ² k(|x_i − x_j|² / ℓ²). */
export interface Scales {
  readonly sigma: number;
  readonly length: number;
}

/** Fixed points, and their distances if these repeat. */
export interface FixedPoints {
  readonly points: Points;
  readonly repeated: RepeatedDistances | null;
}

/** Writes the covariance matrix, column-major, to `out[first …]`. */
export function fillStationary(
  kernel: StationaryKernel,
  { points, repeated }: FixedPoints,
  { sigma, length }: Scales,
  out: Float64Array,
  first: number,
): void {
  const variance = sigma * sigma;
  const precision = 1 / (length * length);
  if (repeated !== null)
    fillRepeated(kernel, points.count, repeated, variance, precision, out, first);
  else fillEach(kernel, points, variance, precision, out, first);
}

function fillEach(
  { k }: StationaryKernel,
  { count: n, dims, values }: Points,
  variance: number,
  precision: number,
  ...[out, first]: [Float64Array, number]
): void {
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

function fillRepeated(
  { k }: StationaryKernel,
  n: number,
  { squares, which, scratch: values }: RepeatedDistances,
  variance: number,
  precision: number,
  ...[out, first]: [Float64Array, number]
): void {
  for (let d = 0; d < squares.length; d++) values[d] = variance * k(squares[d] * precision);
  let pair = 0;
  for (let j = 0; j < n; j++) {
    const column = first + j * n;
    out[column + j] = variance;
    let mirror = column + n + j;
    for (let i = j + 1; i < n; i++) {
      const entry = values[which[pair++]];
      out[column + i] = entry;
      out[mirror] = entry;
      mirror += n;
    }
  }
}

/** The derivatives of Σ g_ij K_ij in σ and ℓ; `out` holds the matrix and `g` its adjoint, both from `first` on. */
export function reverseStationary(
  { dq }: StationaryKernel,
  { points: { count: n, dims, values } }: FixedPoints,
  { sigma, length }: Scales,
  ...[out, g, first]: [Float64Array, Float64Array, number]
): { readonly dSigma: number; readonly dLength: number } {
  const variance = sigma * sigma;
  const precision = 1 / (length * length);
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
