/** Random functions of vectors, matrices and categories: `name_rng(rng, kinds, ...args)`. */
import { Matrix } from '../../autodiff/containers.ts';
import { splitKinds } from '../../distributions/density.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import { multiplyTransposedRight } from '../../linalg/products.ts';
import { requireCholesky, requireSymmetric, solveLowerTransposed } from '../../linalg/solve.ts';
import { drawChiSquare } from '../../random/continuous.ts';
import { drawBinomial, drawCategorical, drawMultinomial } from '../../random/discrete.ts';
import type { Rng } from '../../random/rng.ts';
import {
  drawDirichlet,
  drawInvWishart,
  drawLkjFactor,
  drawNormals,
  drawWishartFactor,
  shiftByFactor,
} from '../../random/structured.ts';
import { phi } from '../../special/erf.ts';
import { invLogit, logSumExp } from '../../special/log-exp.ts';
import { checkSimplex } from '../../transforms/vector-constraints.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

function requireThat(test: boolean, name: string, message: string): void {
  if (!test) throw new DomainError(`${name}: ${message}`);
}

function requirePositive(name: string, what: string, x: number): void {
  requireThat(x > 0 && x < Infinity, name, `${what} is ${x}, but must be positive finite`);
}

function softmax(name: string, x: Float64Array): Float64Array {
  requireThat(x.every(Number.isFinite), name, 'log odds must be finite');
  const total = logSumExp(x);
  return x.map((e) => Math.exp(e - total));
}

function probabilities(name: string, theta: Float64Array): Float64Array {
  checkSimplex(`${name}: Probabilities parameter`, theta);
  return theta;
}

/** 1-based category of an ordered outcome: the first cutpoint with P(y ≤ k) above a uniform. */
function drawOrdered(rng: Rng, c: Float64Array, cdf: (cut: number) => number): number {
  const u = rng.uniform();
  let k = 0;
  while (k < c.length && u >= cdf(c[k])) k++;
  return k + 1;
}

function requireIncreasing(name: string, c: Float64Array): void {
  for (let k = 1; k < c.length; k++) {
    requireThat(c[k] > c[k - 1], name, 'cut-points must be increasing');
  }
}

/** One draw per location if mu is an array of vectors. */
function forEachLocation(
  kind: string,
  mu: unknown,
  draw: (mu: Float64Array) => Float64Array,
): Float64Array | Float64Array[] {
  if (!kind.startsWith('[')) return draw(mu as Float64Array);
  return (mu as readonly Float64Array[]).map(draw);
}

type ScaleKind = 'covariance' | 'precision' | 'cholesky';

/** From standard normals to those of the given scale: L z, or L⁻ᵀ z for a precision L Lᵀ. */
function correlator(name: string, scale: Matrix, kind: ScaleKind) {
  if (kind !== 'cholesky') requireSymmetric(name, scale);
  const l = kind === 'cholesky' ? scale : requireCholesky(name, scale);
  return (mu: Float64Array, z: Float64Array, factor: number): Float64Array => {
    if (mu.length !== l.rows) {
      throw new ShapeError(`${name}: ${mu.length} locations for a scale of ${l.rows} rows`);
    }
    if (kind !== 'precision') return shiftByFactor(mu, l, z, factor);
    const w = solveLowerTransposed(l, new Matrix(z.length, 1, z)).data;
    return mu.map((m, i) => m + factor * w[i]);
  };
}

function multiNormalRng(name: string, kind: ScaleKind) {
  return (rng: Rng, kinds: string, mu: unknown, scale: Matrix) => {
    const correlate = correlator(name, scale, kind);
    return forEachLocation(splitKinds(kinds)[0], mu, (m) =>
      correlate(m, drawNormals(rng, m.length), 1),
    );
  };
}

function multiStudentRng(name: string, kind: ScaleKind) {
  return (rng: Rng, kinds: string, nu: number, mu: unknown, scale: Matrix) => {
    requirePositive(name, 'Degrees of freedom parameter', nu);
    const correlate = correlator(name, scale, kind);
    return forEachLocation(splitKinds(kinds)[1], mu, (m) =>
      correlate(m, drawNormals(rng, m.length), Math.sqrt(nu / drawChiSquare(rng, nu))),
    );
  };
}

function requireFreedom(name: string, nu: number, k: number): void {
  requireThat(nu > k - 1, name, `degrees of freedom is ${nu}, but must be greater than ${k - 1}`);
}

export const randomStructuredPart: LibraryPart = {
  categorical_rng: (rng: Rng, _kinds: string, theta: Float64Array) =>
    drawCategorical(rng, probabilities('categorical_rng', theta)),
  categorical_logit_rng: (rng: Rng, _kinds: string, beta: Float64Array) =>
    drawCategorical(rng, softmax('categorical_logit_rng', beta)),
  ordered_logistic_rng(rng: Rng, _kinds: string, eta: number, c: Float64Array) {
    requireIncreasing('ordered_logistic_rng', c);
    return drawOrdered(rng, c, (cut) => invLogit(cut - eta));
  },
  ordered_probit_rng(rng: Rng, _kinds: string, eta: number, c: Float64Array) {
    requireIncreasing('ordered_probit_rng', c);
    return drawOrdered(rng, c, (cut) => phi(cut - eta));
  },
  multinomial_rng: (rng: Rng, _kinds: string, theta: Float64Array, n: number) =>
    drawMultinomial(rng, probabilities('multinomial_rng', theta), n),
  multinomial_logit_rng: (rng: Rng, _kinds: string, beta: Float64Array, n: number) =>
    drawMultinomial(rng, softmax('multinomial_logit_rng', beta), n),
  dirichlet_multinomial_rng: (rng: Rng, _kinds: string, alpha: Float64Array, n: number) => {
    for (const a of alpha) requirePositive('dirichlet_multinomial_rng', 'Prior size parameter', a);
    return drawMultinomial(rng, drawDirichlet(rng, alpha), n);
  },
  dirichlet_rng: (rng: Rng, _kinds: string, alpha: Float64Array) => {
    for (const a of alpha) requirePositive('dirichlet_rng', 'Prior sample size parameter', a);
    return drawDirichlet(rng, alpha);
  },
  multi_normal_rng: multiNormalRng('multi_normal_rng', 'covariance'),
  multi_normal_prec_rng: multiNormalRng('multi_normal_prec_rng', 'precision'),
  multi_normal_cholesky_rng: multiNormalRng('multi_normal_cholesky_rng', 'cholesky'),
  multi_student_t_rng: multiStudentRng('multi_student_t_rng', 'covariance'),
  multi_student_t_cholesky_rng: multiStudentRng('multi_student_t_cholesky_rng', 'cholesky'),
  lkj_corr_cholesky_rng(rng: Rng, _kinds: string, k: number, eta: number) {
    requirePositive('lkj_corr_cholesky_rng', 'Shape parameter', eta);
    return drawLkjFactor(rng, k, eta);
  },
  lkj_corr_rng(rng: Rng, _kinds: string, k: number, eta: number) {
    requirePositive('lkj_corr_rng', 'Shape parameter', eta);
    const l = drawLkjFactor(rng, k, eta);
    const out = multiplyTransposedRight(l, l);
    for (let i = 0; i < k; i++) out.data[i + i * k] = 1;
    return out;
  },
  wishart_rng(rng: Rng, _kinds: string, nu: number, s: Matrix) {
    requireFreedom('wishart_rng', nu, s.rows);
    const l = drawWishartFactor(rng, nu, requireCholesky('wishart_rng', s));
    return multiplyTransposedRight(l, l);
  },
  wishart_cholesky_rng(rng: Rng, _kinds: string, nu: number, l: Matrix) {
    requireFreedom('wishart_cholesky_rng', nu, l.rows);
    return drawWishartFactor(rng, nu, l);
  },
  inv_wishart_rng(rng: Rng, _kinds: string, nu: number, s: Matrix) {
    requireFreedom('inv_wishart_rng', nu, s.rows);
    return drawInvWishart(rng, nu, requireCholesky('inv_wishart_rng', s));
  },
  inv_wishart_cholesky_rng(rng: Rng, _kinds: string, nu: number, l: Matrix) {
    requireFreedom('inv_wishart_cholesky_rng', nu, l.rows);
    return requireCholesky('inv_wishart_cholesky_rng', drawInvWishart(rng, nu, l));
  },
  bernoulli_logit_glm_rng(
    rng: Rng,
    kinds: string,
    x: Matrix | Float64Array,
    alpha: Float64Array,
    beta: Float64Array,
  ) {
    const isMatrix = splitKinds(kinds)[0] === 'M';
    const values = x instanceof Matrix ? x.data : x;
    const rows = isMatrix ? (x as Matrix).rows : 1;
    const n = isMatrix ? rows : alpha.length;
    return Int32Array.from({ length: n }, (_, i) => {
      let eta = typeof alpha === 'number' ? alpha : alpha[i];
      for (let j = 0; j < beta.length; j++) eta += values[(isMatrix ? i : 0) + j * rows] * beta[j];
      return drawBinomial(rng, 1, invLogit(eta));
    });
  },
};
