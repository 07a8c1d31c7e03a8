/**
 * The metric that brings draws and gradients closest to those of a standard normal: it minimises the Fisher divergence
 * of the sample (Seyboldt, Carlson & Carpenter 2026, arXiv 2603.18845). For a normal posterior it is exact as soon as
 * there are more draws than parameters, where a covariance still has the error of a sample.
 *
 * Letters: σ scales, X scaled draws, G scaled gradients, Λ the geometric mean of cov(X) and cov(G)⁻¹, Q a basis of the
 * space in which Λ may differ from I.
 */
import { Matrix } from '../../math/autodiff/containers.ts';
import { eigenOfMean } from '../../math/linalg/geometric-mean.ts';
import { orthonormalBasis } from '../../math/linalg/orthonormal-basis.ts';
import { multiply, multiplyTransposedLeft } from '../../math/linalg/products.ts';
import type { LowRankValues } from '../hmc/low-rank.ts';

const smallest = 1e-20;
const largest = 1e20;

/**
 * σ² from the variances of `count` draws and of their gradients, plus one pseudo-draw that agrees with `before`: if a
 * gradient hardly changes, a few draws say little about the scale.
 */
export function fisherVariance(draws: number, gradients: number, before: number, count: number) {
  const prior = 1 / count;
  const variance = before * Math.sqrt((draws / before + prior) / (gradients * before + prior));
  return variance > 0 && variance < Number.POSITIVE_INFINITY ? clamped(variance) : before;
}

/** σ² from a gradient alone: for a standard normal, both gradient and distance are about 1 / σ. */
export function varianceOfGradient(gradient: number): number {
  const variance = 1 / Math.abs(gradient);
  return variance > 0 && variance < Number.POSITIVE_INFINITY ? clamped(variance) : 1;
}

const clamped = (variance: number) => Math.min(largest, Math.max(smallest, variance));

export interface Sample {
  readonly dimension: number;
  /** One row per draw: a position and the gradient there, 2 × `dimension` values. */
  readonly rows: Float64Array;
  readonly count: number;
}

export interface FisherOptions {
  /** Directions whose Λ lies between 1/cutoff and cutoff are left out. */
  readonly cutoff: number;
  /** Maximum number of directions; those with Λ farthest from 1 come first. */
  readonly maxRank: number;
  /** σ² of the previous metric. */
  readonly before: (parameter: number) => number;
}

/** Most directions in which the metric may differ from its diagonal; decompositions cost the cube of this. */
const maxBasis = 160;

/** Null if the sample gives no finite metric. */
export function fisherLowRank(sample: Sample, options: FisherOptions): LowRankValues | null {
  const { dimension, count } = sample;
  const { scales, x, g } = scaled(sample, options.before);
  const basis = 2 * count < dimension || dimension > maxBasis ? spanned(x, g) : null;
  const inBasis = (columns: Matrix) =>
    basis === null ? columns : multiplyTransposedLeft(basis, columns);
  const eigen = eigenOfMean(inBasis(x), inBasis(g), shrinkage(basis?.cols ?? dimension, count));
  if (eigen === null) return null;
  const { values, vectors } = eigen;
  const kept = farthest(values, options);
  const all = basis === null ? vectors : multiply(basis, vectors);
  const packed = new Float64Array(dimension + kept.length * (dimension + 1));
  packed.set(scales);
  for (const [place, { value, k }] of kept.entries()) {
    packed[dimension + place] = value;
    const column = all.data.subarray(k * dimension, (k + 1) * dimension);
    packed.set(column, dimension + kept.length + place * dimension);
  }
  return packed.every(Number.isFinite) && kept.every(({ value }) => value > 0) ? packed : null;
}

/** The directions to keep: their Λ, and their places among all. */
function farthest(values: Float64Array, { cutoff, maxRank }: FisherOptions) {
  return Array.from(values, (value, k) => ({
    value,
    k,
    far: Math.abs(Math.log(Math.max(0, value))),
  }))
    .filter(({ far }) => far > Math.log(cutoff))
    .toSorted((a, b) => b.far - a.far)
    .slice(0, maxRank);
}

/** σ, and draws and gradients in its units, one per column. */
function scaled({ dimension, rows, count }: Sample, before: FisherOptions['before']) {
  const scales = new Float64Array(dimension);
  const x = new Matrix(dimension, count, new Float64Array(dimension * count));
  const g = new Matrix(dimension, count, new Float64Array(dimension * count));
  for (let i = 0; i < dimension; i++) {
    const drawVariance = centre(rows, i, x, i);
    const gradientVariance = centre(rows, dimension + i, g, i);
    scales[i] = Math.sqrt(fisherVariance(drawVariance, gradientVariance, before(i), count));
    multiplyRow(x, i, 1 / scales[i]);
    multiplyRow(g, i, scales[i]);
  }
  return { scales, x, g };
}

/** Writes the values at place `from` of all rows into row `i` of `out`, without their mean; returns their population variance. */
function centre(rows: Float64Array, from: number, out: Matrix, i: number): number {
  const { rows: dimension, cols: count, data } = out;
  let sum = 0;
  for (let n = 0; n < count; n++) sum += rows[from + 2 * n * dimension];
  const mean = sum / count;
  let squares = 0;
  for (let n = 0; n < count; n++) {
    const deviation = rows[from + 2 * n * dimension] - mean;
    data[i + n * dimension] = deviation;
    squares += deviation * deviation;
  }
  return squares / count;
}

function multiplyRow({ rows, data }: Matrix, i: number, factor: number): void {
  for (let k = i; k < data.length; k += rows) data[k] *= factor;
}

/**
 * An orthonormal basis of the space that draws and gradients span. Many rows are thinned evenly. Draws and gradients
 * alternate, so that neither is left out.
 */
function spanned(x: Matrix, g: Matrix): Matrix {
  const { rows, cols } = x;
  const most = Math.min(cols, maxBasis / 2);
  const columns = new Float64Array(2 * most * rows);
  for (let k = 0; k < most; k++) {
    const from = Math.floor((k * cols) / most) * rows;
    columns.set(x.data.subarray(from, from + rows), 2 * k * rows);
    columns.set(g.data.subarray(from, from + rows), (2 * k + 1) * rows);
  }
  return orthonormalBasis(new Matrix(rows, 2 * most, columns));
}

/**
 * What is added to the diagonal of both covariances, so that they are positive definite.
 * Almost nothing for a sample that spans the basis many times over, since its small eigenvalues are known. About one
 * draw in `count` for a sample that hardly spans it, since its smallest eigenvalues are chance.
 */
function shrinkage(size: number, count: number): number {
  return count > 2 * size ? 1e-5 / count : size / count ** 2;
}
