/** Multivariate normal and Student t densities, by covariance, precision or Cholesky factor. */

import { Matrix } from '../autodiff/containers.ts';
import type { Operand } from '../autodiff/operand.ts';
import { DomainError, ShapeError } from '../errors.ts';
import { choleskyFactor } from '../linalg/cholesky.ts';
import { multiplyTransposedRight } from '../linalg/products.ts';
import {
  inverseOfFactored,
  requireSymmetric,
  solveLower,
  solveLowerTransposed,
} from '../linalg/solve.ts';
import { logPi, logTwoPi } from '../special/constants.ts';
import { digamma, lgamma } from '../special/gamma.ts';
import { type Density, type PlainStep, plainDensity } from './density.ts';
import { multiNormalOfOne, type ScaleKind } from './multi-normal-of-one.ts';

export function matrixOf(x: Operand, size: number): Matrix {
  return new Matrix(size, size, x.values.slice(x.start, x.start + size * size));
}

/** L with scale L Lᵀ (or precision L Lᵀ), checked. */
export function factorOf(name: string, scale: Matrix, kind: ScaleKind): Matrix {
  if (kind === 'cholesky') {
    for (let i = 0; i < scale.rows; i++) {
      const d = scale.data[i + i * scale.rows];
      if (!(d > 0 && d < Infinity)) {
        throw new DomainError(
          `${name}: Cholesky factor[${i + 1},${i + 1}] is ${d}, but must be positive finite`,
        );
      }
    }
    return scale;
  }
  const what = kind === 'covariance' ? 'Covariance matrix' : 'Precision matrix';
  requireSymmetric(`${name}: ${what}`, scale);
  const factor = choleskyFactor(scale.data, scale.rows);
  if (factor === null) throw new DomainError(`${name}: ${what} is not positive definite`);
  return new Matrix(scale.rows, scale.rows, factor);
}

/** Number of vectors in an operand: an array's length, 1 for a single vector. */
function countOf(kind: string, argument: unknown): number {
  return kind.startsWith('[') ? (argument as readonly unknown[]).length : 1;
}

interface Problem {
  readonly y: Operand;
  readonly mu: Operand;
  readonly size: number;
  readonly count: number;
  /** Offset of vector v in y and mu; a single vector serves all. */
  readonly yStep: number;
  readonly muStep: number;
}

/** Checks the sizes of y and mu (operands `first` and `first + 1`) against the matrix; null if they are empty. */
function setUp({ call, operands, args, kinds }: PlainStep, first: number): Problem | null {
  const y = operands[first];
  const mu = operands[first + 1];
  const scale = args[first + 2] as { rows: number; cols: number };
  const numY = countOf(kinds[first], args[first]);
  const numMu = countOf(kinds[first + 1], args[first + 1]);
  if (numY === 0 || numMu === 0) return null;
  const size = y.size / numY;
  const count = Math.max(numY, numMu);
  const yStep = kinds[first].startsWith('[') ? size : 0;
  const muStep = kinds[first + 1].startsWith('[') ? size : 0;
  if (yStep > 0 && muStep > 0 && numY !== numMu) {
    throw new ShapeError(`${call.name}: ${numY} random variables for ${numMu} locations`);
  }
  if (mu.size / numMu !== size || scale.rows !== size || scale.cols !== size) {
    throw new ShapeError(
      `${call.name}: size of random variable (${size}), location parameter (${mu.size / numMu}) and rows of the scale (${scale.rows}) must match`,
    );
  }
  call.checkNotNan(y);
  call.checkFinite(mu);
  return size === 0 ? null : { y, mu, size, count, yStep, muStep };
}

/** y_v − mu_v, a column each. */
function differences({ y, mu, size, count, yStep, muStep }: Problem): Matrix {
  const d = new Float64Array(size * count);
  for (let v = 0, k = 0; v < count; v++) {
    for (let i = 0; i < size; i++, k++) d[k] = y.at(v * yStep + i) - mu.at(v * muStep + i);
  }
  return new Matrix(size, count, d);
}

/** Adds −weight × w to y's and +weight × w to mu's partials, for each vector. */
function addGradient(
  { y, mu, size, count, yStep, muStep }: Problem,
  w: Float64Array,
  weights: Float64Array | null,
): void {
  for (let v = 0, k = 0; v < count; v++) {
    const weight = weights === null ? 1 : weights[v];
    for (let i = 0; i < size; i++, k++) {
      if (y.active) y.add(v * yStep + i, -weight * w[k]);
      if (mu.active) mu.add(v * muStep + i, weight * w[k]);
    }
  }
}

export function sumLogDiagonal(l: Matrix): number {
  let s = 0;
  for (let i = 0; i < l.rows; i++) s += Math.log(l.data[i + i * l.rows]);
  return s;
}

/** Vectors d, a column each: z = L⁻¹ d (or Lᵀ d for a precision), w = (scale)⁻¹ d, and q = d′ w of each. */
export interface Whitened {
  readonly d: Matrix;
  readonly z: Matrix;
  readonly w: Matrix;
  readonly q: Float64Array;
}

export function whiten(l: Matrix, d: Matrix, kind: ScaleKind): Whitened {
  const isPrecision = kind === 'precision';
  const z = isPrecision ? timesFactorTransposed(l, d) : solveLower(l, d);
  const w = isPrecision ? timesFactor(l, z) : solveLowerTransposed(l, z);
  const q = new Float64Array(d.cols);
  for (let v = 0, k = 0; v < d.cols; v++) {
    for (let i = 0; i < d.rows; i++, k++) q[v] += z.data[k] * z.data[k];
  }
  return { d, z, w, q };
}

/** Lᵀ d and L z for lower L. */
function timesFactorTransposed(l: Matrix, { cols, data }: Matrix): Matrix {
  const n = l.rows;
  const out = new Float64Array(n * cols);
  for (let at = 0; at < out.length; at += n) {
    for (let j = 0; j < n; j++)
      for (let i = j; i < n; i++) out[at + j] += l.data[i + j * n] * data[at + i];
  }
  return new Matrix(n, cols, out);
}
function timesFactor(l: Matrix, { cols, data }: Matrix): Matrix {
  const n = l.rows;
  const out = new Float64Array(n * cols);
  for (let at = 0; at < out.length; at += n) {
    for (let j = 0; j < n; j++)
      for (let i = j; i < n; i++) out[at + i] += l.data[i + j * n] * data[at + j];
  }
  return new Matrix(n, cols, out);
}

/**
 * Adds Σ ω × (half the quadratic form's derivative) − count × (derivative of log |L|) to the scale's partials.
 * with weights ω: −½ c Σ⁻¹ + ½ Σ ω w w′; precision: ½ c Ω⁻¹ − ½ Σ ω d d′; Cholesky: −c diag(1/L) + tril(Σ ω w z′).
 */
export class ScaleGradient {
  private readonly sign: number;

  constructor(
    private readonly scale: Operand,
    private readonly size: number,
    private readonly kind: ScaleKind,
  ) {
    this.sign = kind === 'cholesky' ? 1 : kind === 'covariance' ? 0.5 : -0.5;
  }

  /** `weights` of the vectors; null if they are 1. */
  add({ d, z, w }: Whitened, weights: Float64Array | null): void {
    const { size, kind, sign } = this;
    const { partials, partialStart } = this.scale;
    const left = kind === 'precision' ? d : w;
    const right = new Matrix(size, d.cols, (kind === 'cholesky' ? z : left).data.slice());
    for (let v = 0, k = 0; v < d.cols; v++) {
      const weight = sign * (weights === null ? 1 : weights[v]);
      for (let i = 0; i < size; i++, k++) right.data[k] *= weight;
    }
    const sum = multiplyTransposedRight(left, right).data;
    for (let j = 0; j < size; j++) {
      const column = j * size;
      for (let i = kind === 'cholesky' ? j : 0; i < size; i++)
        partials[partialStart + column + i] += sum[column + i];
    }
  }

  finish(l: Matrix, count: number): void {
    const { size, kind, sign } = this;
    const { partials, partialStart } = this.scale;
    if (kind === 'cholesky') {
      for (let j = 0; j < size; j++) {
        partials[partialStart + j + j * size] -= count / l.data[j + j * size];
      }
      return;
    }
    const inverse = inverseOfFactored(l).data;
    for (let k = 0; k < size * size; k++) partials[partialStart + k] -= sign * count * inverse[k];
  }
}

function multiNormal(name: string, kind: ScaleKind) {
  return plainDensity(name, ['Random variable', 'Location parameter', 'Scale'], (step) => {
    const { call, operands } = step;
    const problem = setUp(step, 0);
    if (problem === null) return 0;
    const { size, count } = problem;
    const scale = operands[2];
    const l = factorOf(name, matrixOf(scale, size), kind);
    const gradient = scale.active ? new ScaleGradient(scale, size, kind) : null;
    let lp = call.propto ? 0 : -0.5 * count * size * logTwoPi;
    if (call.includes(scale)) lp += (kind === 'precision' ? count : -count) * sumLogDiagonal(l);
    const whitened = whiten(l, differences(problem), kind);
    for (const q of whitened.q) lp -= 0.5 * q;
    addGradient(problem, whitened.w.data, null);
    gradient?.add(whitened, null);
    gradient?.finish(l, count);
    return lp;
  });
}

const anyMultiNormal = {
  covariance: multiNormal('multi_normal_lpdf', 'covariance'),
  precision: multiNormal('multi_normal_prec_lpdf', 'precision'),
  cholesky: multiNormal('multi_normal_cholesky_lpdf', 'cholesky'),
};

const multiNormalOf =
  (kind: ScaleKind): Density =>
  (tape, propto, kinds, ...args) =>
    multiNormalOfOne(tape, propto, kind, args) ??
    anyMultiNormal[kind](tape, propto, kinds, ...args);

/** log N(y | mu, Σ) = −½ d′ Σ⁻¹ d − ½ log |Σ| − (K/2) log 2π, d = y − mu; arrays of vectors are summed. */
export const multiNormalLpdf = multiNormalOf('covariance');
export const multiNormalPrecLpdf = multiNormalOf('precision');
export const multiNormalCholeskyLpdf = multiNormalOf('cholesky');

function multiStudentT(name: string, kind: ScaleKind) {
  return plainDensity(
    name,
    ['Random variable', 'Degrees of freedom parameter', 'Location parameter', 'Scale'],
    (step) => {
      // y nu mu scale: y and mu next to each other for the shared setup
      const { call } = step;
      const [y, nu, mu, scale] = step.operands;
      const { args, kinds } = step;
      call.checkPositiveFinite(nu);
      const problem = setUp(
        {
          call,
          operands: [y, mu, scale],
          args: [args[0], args[2], args[3]],
          kinds: [kinds[0], kinds[2], kinds[3]],
        },
        0,
      );
      if (problem === null) return 0;
      const { size, count } = problem;
      const l = factorOf(name, matrixOf(scale, size), kind);
      const gradient = scale.active ? new ScaleGradient(scale, size, kind) : null;
      const df = nu.at(0);
      const half = 0.5 * (df + size);
      let lp = 0;
      if (call.includes(nu)) {
        lp += count * (lgamma(half) - lgamma(0.5 * df) - 0.5 * size * Math.log(df));
      }
      if (!call.propto) lp -= 0.5 * count * size * logPi;
      if (call.includes(scale)) lp -= count * sumLogDiagonal(l);
      let dNu = 0.5 * count * (digamma(half) - digamma(0.5 * df) - size / df);
      const whitened = whiten(l, differences(problem), kind);
      const weights = new Float64Array(count);
      whitened.q.forEach((q, v) => {
        const logTerm = Math.log1p(q / df);
        lp -= half * logTerm;
        weights[v] = (2 * half) / (df + q);
        dNu += -0.5 * logTerm + (half * q) / (df * (df + q));
      });
      addGradient(problem, whitened.w.data, weights);
      gradient?.add(whitened, weights);
      if (nu.active) nu.add(0, dNu);
      gradient?.finish(l, count);
      return lp;
    },
  );
}

/** log |t| of K dimensions: log Γ((ν + K)/2) − log Γ(ν/2) − (K/2) log νπ − ½ log |Σ| − (ν + K)/2 log1p(q/ν). */
export const multiStudentTLpdf = multiStudentT('multi_student_t_lpdf', 'covariance');
export const multiStudentTCholeskyLpdf = multiStudentT('multi_student_t_cholesky_lpdf', 'cholesky');

function multiGp(name: string, kind: ScaleKind) {
  return plainDensity(
    name,
    ['Random variable', 'Kernel', 'Inverse scales'],
    ({ call, operands, args }) => {
      const [y, kernel, w] = operands;
      const { rows, cols } = args[0] as Matrix;
      const side = (args[1] as Matrix).rows;
      if (side !== cols || w.size !== rows) {
        throw new ShapeError(
          `${name}: ${rows} × ${cols} outcomes, kernel of ${side}, ${w.size} scales do not fit`,
        );
      }
      call.checkPositiveFinite(w);
      call.checkFinite(y);
      if (rows === 0 || cols === 0) return 0;
      const l = factorOf(name, matrixOf(kernel, cols), kind);
      const gradient = kernel.active ? new ScaleGradient(kernel, cols, kind) : null;
      let lp = call.propto ? 0 : -0.5 * rows * cols * logTwoPi;
      if (call.includes(kernel)) lp -= rows * sumLogDiagonal(l);
      const weights = Float64Array.from({ length: rows }, (_, i) => w.at(i));
      const d = new Matrix(cols, rows, new Float64Array(cols * rows));
      for (let i = 0, k = 0; i < rows; i++)
        for (let j = 0; j < cols; j++, k++) d.data[k] = y.at(i + j * rows);
      const whitened = whiten(l, d, kind);
      weights.forEach((weight, i) => {
        const q = whitened.q[i];
        if (call.includes(w)) lp += 0.5 * cols * Math.log(weight);
        lp -= 0.5 * weight * q;
        if (w.active) w.add(i, (0.5 * cols) / weight - 0.5 * q);
        if (!y.active) return;
        const column = i * cols;
        for (let j = 0; j < cols; j++) y.add(i + j * rows, -weight * whitened.w.data[column + j]);
      });
      gradient?.add(whitened, weights);
      gradient?.finish(l, rows);
      return lp;
    },
  );
}

/** Rows y_i ~ N(0, Σ / w_i). */
export const multiGpLpdf = multiGp('multi_gp_lpdf', 'covariance');
export const multiGpCholeskyLpdf = multiGp('multi_gp_cholesky_lpdf', 'cholesky');
