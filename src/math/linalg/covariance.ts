/** Covariance functions of Gaussian processes on points, with derivatives (Rasmussen & Williams 2006, chapter 4). */
import { tableExp } from '../special/table-functions.ts';

/** Points in rows of `dims` numbers: point i is `values[i dims … i dims + dims − 1]`. */
export interface Points {
  readonly count: number;
  readonly dims: number;
  readonly values: Float64Array;
}

/** A stationary kernel with unit variance as a function of q, the squared scaled distance, and its derivative. */
export interface StationaryKernel {
  readonly k: (q: number) => number;
  readonly dq: (q: number, k: number) => number;
}

const sqrt3 = Math.sqrt(3);
const sqrt5 = Math.sqrt(5);

/** exp(−q/2) */
export const exponentiatedQuadratic: StationaryKernel = {
  k: (q) => tableExp(-0.5 * q),
  dq: (_, k) => -0.5 * k,
};

/** exp(−√q); not differentiable at 0, where 0 is used. */
export const exponentialKernel: StationaryKernel = {
  k: (q) => tableExp(-Math.sqrt(q)),
  dq: (q, k) => (q > 0 ? (-0.5 * k) / Math.sqrt(q) : 0),
};

/** (1 + √3 r) exp(−√3 r), r = √q */
export const matern32: StationaryKernel = {
  k: (q) => (1 + sqrt3 * Math.sqrt(q)) * tableExp(-sqrt3 * Math.sqrt(q)),
  dq: (q) => -1.5 * tableExp(-sqrt3 * Math.sqrt(q)),
};

/** (1 + √5 r + 5q/3) exp(−√5 r) */
export const matern52: StationaryKernel = {
  k: (q) => (1 + sqrt5 * Math.sqrt(q) + (5 / 3) * q) * tableExp(-sqrt5 * Math.sqrt(q)),
  dq: (q) => (-5 / 6) * (1 + sqrt5 * Math.sqrt(q)) * tableExp(-sqrt5 * Math.sqrt(q)),
};

/** What a covariance matrix is computed from; `lengths` has one entry, or one per dimension. */
export interface CovarianceInput {
  readonly x: Points;
  /** The second set of points; the same object as `x` for a symmetric matrix. */
  readonly y: Points;
  readonly sigma: number;
  readonly lengths: Float64Array;
  /** Period, for the periodic kernel. */
  readonly period: number;
}

/** Where derivatives are written; null for data. */
export interface CovarianceAdjoint {
  readonly dx: Float64Array | null;
  readonly dy: Float64Array | null;
  readonly dSigma: Float64Array | null;
  readonly dLengths: Float64Array | null;
  readonly dPeriod: Float64Array | null;
}

export interface CovarianceFunction {
  /** k(x_i, y_j). */
  readonly entry: (input: CovarianceInput, i: number, j: number) => number;
  /** Adds g × the derivatives of k(x_i, y_j) = `k`. */
  readonly reverse: (input: CovarianceInput, pair: Pair, adjoint: CovarianceAdjoint) => void;
}

export interface Pair {
  readonly i: number;
  readonly j: number;
  readonly k: number;
  readonly g: number;
}

function scaledSquare({ x, y, lengths }: CovarianceInput, i: number, j: number): number {
  const { dims } = x;
  const shared = lengths.length === 1;
  let q = 0;
  for (let d = 0; d < dims; d++) {
    const z = (x.values[i * dims + d] - y.values[j * dims + d]) / lengths[shared ? 0 : d];
    q += z * z;
  }
  return q;
}

export function stationary(kernel: StationaryKernel): CovarianceFunction {
  return {
    entry: (input, i, j) => input.sigma ** 2 * kernel.k(scaledSquare(input, i, j)),
    reverse(input, { i, j, k, g }, { dx, dy, dSigma, dLengths }) {
      const { x, y, sigma, lengths } = input;
      const { dims } = x;
      if (dSigma !== null) dSigma[0] += (2 * g * k) / sigma;
      if (dx === null && dy === null && dLengths === null) return;
      const q = scaledSquare(input, i, j);
      const slope = 2 * g * sigma ** 2 * kernel.dq(q, k / sigma ** 2);
      if (lengths.length === 1 && dx === null && dy === null) {
        (dLengths as Float64Array)[0] -= (slope * q) / lengths[0];
        return;
      }
      const shared = lengths.length === 1;
      for (let d = 0; d < dims; d++) {
        const l = lengths[shared ? 0 : d];
        const z = (x.values[i * dims + d] - y.values[j * dims + d]) / l;
        if (dx !== null) dx[i * dims + d] += (slope * z) / l;
        if (dy !== null) dy[j * dims + d] -= (slope * z) / l;
        if (dLengths !== null) dLengths[shared ? 0 : d] -= (slope * z * z) / l;
      }
    },
  };
}

function distance({ x, y }: CovarianceInput, i: number, j: number): number {
  let s = 0;
  for (let d = 0; d < x.dims; d++) s += (x.values[i * x.dims + d] - y.values[j * x.dims + d]) ** 2;
  return Math.sqrt(s);
}

/** sigma² exp(−2 sin²(π |x − y| / period) / length²) (ibid., eq. 4.31). */
export const periodic: CovarianceFunction = {
  entry(input, i, j) {
    const s = Math.sin((Math.PI * distance(input, i, j)) / input.period);
    return input.sigma ** 2 * tableExp((-2 * s * s) / input.lengths[0] ** 2);
  },
  reverse(input, { i, j, k, g }, { dx, dy, dSigma, dLengths, dPeriod }) {
    const { x, y, sigma, lengths, period } = input;
    const r = distance(input, i, j);
    const angle = (Math.PI * r) / period;
    const s = Math.sin(angle);
    const l = lengths[0];
    if (dSigma !== null) dSigma[0] += (2 * g * k) / sigma;
    if (dLengths !== null) dLengths[0] += (4 * g * k * s * s) / l ** 3;
    // d/d angle of −2 sin²/l²
    const slope = (g * k * -2 * Math.sin(2 * angle)) / (l * l);
    if (dPeriod !== null) dPeriod[0] -= (slope * angle) / period;
    if (r === 0) return;
    for (let d = 0; d < x.dims; d++) {
      const unit = (x.values[i * x.dims + d] - y.values[j * x.dims + d]) / r;
      const t = ((slope * Math.PI) / period) * unit;
      if (dx !== null) dx[i * x.dims + d] += t;
      if (dy !== null) dy[j * x.dims + d] -= t;
    }
  },
};

/** sigma² + x · y (ibid., eq. 4.1 with the identity). */
export const dotProduct: CovarianceFunction = {
  entry({ x, y, sigma }, i, j) {
    let s = sigma * sigma;
    for (let d = 0; d < x.dims; d++) s += x.values[i * x.dims + d] * y.values[j * x.dims + d];
    return s;
  },
  reverse({ x, y, sigma }, { i, j, g }, { dx, dy, dSigma }) {
    if (dSigma !== null) dSigma[0] += 2 * g * sigma;
    for (let d = 0; d < x.dims; d++) {
      if (dx !== null) dx[i * x.dims + d] += g * y.values[j * x.dims + d];
      if (dy !== null) dy[j * x.dims + d] += g * x.values[i * x.dims + d];
    }
  },
};
