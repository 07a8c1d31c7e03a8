/** Draws of several variables that an affine map moves together, and the moments that define such a map. */
import { choleskyFactor } from '../math/linalg/cholesky.ts';

/** `count` points of `dimension` values, point by point. */
export interface Draws {
  readonly values: Float64Array;
  readonly count: number;
  readonly dimension: number;
}

/** x → c + shift + map · (scale ∘ (x − c)), where c is a given mean. */
export interface Move {
  readonly shift: Float64Array;
  readonly scale: Float64Array;
  /** Lower triangular, column-major; null: the identity. */
  readonly map: Float64Array | null;
}

export interface Moments {
  readonly mean: Float64Array;
  /** For each variable, and the lower triangle of all by columns; unbiased. */
  readonly variance: Float64Array;
  readonly covariance: () => Float64Array;
}

export function stays({ dimension }: Draws): Move {
  return {
    shift: new Float64Array(dimension),
    scale: new Float64Array(dimension).fill(1),
    map: null,
  };
}

export function momentsOf(draws: Draws): Moments {
  const { count } = draws;
  const weight = () => 1 / count;
  const mean = meanOf(draws, weight);
  const variance = varianceOf(draws, mean, weight).map((value) => (value * count) / (count - 1));
  const covariance = () => covarianceOf(draws, mean, weight, 1 - 1 / count);
  return { mean, variance, covariance };
}

/** With normalised weights (natural log); the variance uses n − 1 of n, the covariance 1 − Σ w², as R's `cov.wt`. */
export function weightedMoments(draws: Draws, logWeights: Float64Array): Moments {
  const { count } = draws;
  const weights = logWeights.map(Math.exp);
  const weight = (s: number) => weights[s];
  const mean = meanOf(draws, weight);
  const variance = varianceOf(draws, mean, weight).map((value) => (value * count) / (count - 1));
  const squares = weights.reduce((sum, value) => sum + value * value, 0);
  const covariance = () => covarianceOf(draws, mean, weight, 1 - squares);
  return { mean, variance, covariance };
}

function meanOf({ values, count, dimension }: Draws, weight: (s: number) => number): Float64Array {
  const mean = new Float64Array(dimension);
  for (let s = 0; s < count; s++) {
    const w = weight(s);
    for (let j = 0; j < dimension; j++) mean[j] += w * values[s * dimension + j];
  }
  return mean;
}

function varianceOf(
  { values, count, dimension }: Draws,
  mean: Float64Array,
  weight: (s: number) => number,
): Float64Array {
  const variance = new Float64Array(dimension);
  for (let s = 0; s < count; s++) {
    const w = weight(s);
    for (let j = 0; j < dimension; j++)
      variance[j] += w * (values[s * dimension + j] - mean[j]) ** 2;
  }
  return variance;
}

function covarianceOf(
  { values, count, dimension }: Draws,
  mean: Float64Array,
  weight: (s: number) => number,
  divisor: number,
): Float64Array {
  const covariance = new Float64Array(dimension * dimension);
  for (let s = 0; s < count; s++) {
    const row = s * dimension;
    const w = weight(s) / divisor;
    for (let j = 0; j < dimension; j++) {
      const own = w * (values[row + j] - mean[j]);
      for (let i = j; i < dimension; i++)
        covariance[i + j * dimension] += own * (values[row + i] - mean[i]);
    }
  }
  return covariance;
}

/** The lower triangular map that gives draws with one covariance the other; null if one is not positive definite. */
export function mappingBetween(from: Moments, to: Moments): Float64Array | null {
  const dimension = from.mean.length;
  const now = choleskyFactor(from.covariance(), dimension);
  const wanted = choleskyFactor(to.covariance(), dimension);
  if (now === null || wanted === null) return null;
  // X · now = wanted, from the last column on
  const map = new Float64Array(dimension * dimension);
  for (let j = dimension - 1; j >= 0; j--)
    for (let i = j; i < dimension; i++) {
      let value = wanted[i + j * dimension];
      for (let k = j + 1; k <= i; k++) value -= map[i + k * dimension] * now[k + j * dimension];
      map[i + j * dimension] = value / now[j + j * dimension];
    }
  return map;
}

/** First `one`, then `other`: shifts add up, scales and maps multiply (maps act after all scales, as in R's loo). */
export function composed(one: Move, other: Move): Move {
  return {
    shift: one.shift.map((value, j) => value + other.shift[j]),
    scale: one.scale.map((value, j) => value * other.scale[j]),
    map: one.map === null ? other.map : other.map === null ? one.map : product(other.map, one.map),
  };
}

/** Product of two lower triangular matrices. */
function product(a: Float64Array, b: Float64Array): Float64Array {
  const n = Math.sqrt(a.length);
  const result = new Float64Array(n * n);
  for (let j = 0; j < n; j++)
    for (let k = j; k < n; k++)
      for (let i = k; i < n; i++) result[i + j * n] += a[i + k * n] * b[k + j * n];
  return result;
}

export function moveDraws(
  { values, count, dimension }: Draws,
  mean: Float64Array,
  move: Move,
): Draws {
  const moved = new Float64Array(values.length);
  for (let s = 0; s < count; s++) {
    const row = s * dimension;
    movePoint(
      values.subarray(row, row + dimension),
      mean,
      move,
      moved.subarray(row, row + dimension),
    );
  }
  return { values: moved, count, dimension };
}

/** `out` must not be `point`. */
export function movePoint(
  point: Float64Array,
  mean: Float64Array,
  { shift, scale, map }: Move,
  out: Float64Array,
): void {
  const n = point.length;
  for (let j = 0; j < n; j++) out[j] = mean[j] + shift[j];
  for (let j = 0; j < n; j++) {
    const value = scale[j] * (point[j] - mean[j]);
    if (map === null) out[j] += value;
    else for (let i = j; i < n; i++) out[i] += map[i + j * n] * value;
  }
}

/** The point that `movePoint` moves here. `out` must not be `point`. */
export function movePointBack(
  point: Float64Array,
  mean: Float64Array,
  { shift, scale, map }: Move,
  out: Float64Array,
): void {
  const n = point.length;
  for (let j = 0; j < n; j++) out[j] = point[j] - mean[j] - shift[j];
  for (let j = 0; j < n; j++) {
    if (map !== null) {
      out[j] /= map[j + j * n];
      for (let i = j + 1; i < n; i++) out[i] -= map[i + j * n] * out[j];
    }
  }
  for (let j = 0; j < n; j++) out[j] = mean[j] + out[j] / scale[j];
}

export function logDeterminant({ scale, map }: Move): number {
  const n = scale.length;
  let sum = 0;
  for (let j = 0; j < n; j++) sum += Math.log(scale[j] * (map === null ? 1 : map[j + j * n]));
  return sum;
}
