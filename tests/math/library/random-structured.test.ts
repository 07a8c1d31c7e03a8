import { describe, expect, it } from 'vitest';
import { Matrix } from '../../../src/math/autodiff/containers.ts';
import { randomStructuredPart } from '../../../src/math/library/families/random-structured.ts';
import { library } from '../../../src/math/library/library.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';
import { numbersOf } from '../support/gradient.ts';
import { kolmogorov } from '../support/kolmogorov.ts';

const numDraws = 20_000;
const covariance = new Matrix(2, 2, Float64Array.of(2, 0.6, 0.6, 1));
const precision = new Matrix(2, 2, Float64Array.of(1 / 1.64, -0.6 / 1.64, -0.6 / 1.64, 2 / 1.64));
const factor = new Matrix(
  2,
  2,
  Float64Array.of(Math.SQRT2, 0.6 / Math.SQRT2, 0, Math.sqrt(1 - 0.18)),
);
const mu = Float64Array.of(1, -2);
const theta = Float64Array.of(0.2, 0.5, 0.3);
const logTheta = theta.map(Math.log);
const scale = covariance;
/** Expectations, e.g. of products L_ij of a Wishart factor, are known: tests compare means of `value`. */
type Value = (draw: number[]) => number[];

const indicator: Value = ([k]) => [1, 2, 3].map((c) => (k === c ? 1 : 0));
const itself: Value = (draw) => draw;
const momentsOf2: Value = ([x, y]) => [x, y, (x - 1) ** 2, (x - 1) * (y + 2), (y + 2) ** 2];
const product: Value = ([a, b, , d]) => [a * a, a * b, b * b + d * d];

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const x = new Matrix(2, 2, Float64Array.of(1, 0.5, -1, 2));

/** A number computed from a draw, and its cumulative function. */
interface Marginal {
  readonly of: (draw: number[]) => number;
  readonly cdf: (value: number) => number;
}
const cdfOf =
  (name: string, ...parameters: readonly number[]) =>
  (value: number) =>
    library[`${name}_cdf`](
      null,
      false,
      'r'.repeat(parameters.length + 1),
      value,
      ...parameters,
    ) as number;
const countCdfOf =
  (name: string, count: number, ...parameters: readonly number[]) =>
  (value: number) =>
    library[`${name}_cdf`](
      null,
      false,
      `ii${'r'.repeat(parameters.length)}`,
      value,
      count,
      ...parameters,
    ) as number;
/** Cumulative function of the numbers 1, 2, … with these masses. */
const stepsOf = (masses: readonly number[]) => (value: number) =>
  masses.slice(0, value).reduce((sum, mass) => sum + mass, 0);
const first = ([a]: number[]) => a;

const category: Marginal = { of: first, cdf: stepsOf([0.2, 0.5, 0.3]) };
// x − y has mean 3 and variance 2 + 1 − 2 × 0.6
const difference: Marginal = { of: ([a, b]) => a - b, cdf: cdfOf('normal', 3, Math.sqrt(1.8)) };
const wideDifference: Marginal = {
  of: ([a, b]) => a - b,
  cdf: cdfOf('student_t', 12, 3, Math.sqrt(1.8)),
};
// (1 + r)/2 is a beta variable with both parameters η + (K − 2)/2
const correlation = cdfOf('beta', 2, 2);

const marginals: Readonly<Record<string, Marginal>> = {
  categorical_rng: category,
  categorical_logit_rng: category,
  ordered_logistic_rng: {
    of: first,
    cdf: stepsOf([logistic(-1.5), logistic(0.5) - logistic(-1.5), 1 - logistic(0.5)]),
  },
  ordered_probit_rng: {
    of: first,
    cdf: stepsOf([0.0668072012688581, 0.6246552600051549, 0.3085375387259869]),
  },
  multinomial_rng: { of: ([, b]) => b, cdf: countCdfOf('binomial', 10, 0.5) },
  multinomial_logit_rng: { of: ([, b]) => b, cdf: countCdfOf('binomial', 10, 0.5) },
  dirichlet_multinomial_rng: { of: ([, b]) => b, cdf: countCdfOf('beta_binomial', 10, 2, 3) },
  dirichlet_rng: { of: first, cdf: cdfOf('beta', 0.2, 0.8) },
  multi_normal_rng: difference,
  multi_normal_prec_rng: difference,
  multi_normal_cholesky_rng: difference,
  multi_student_t_rng: wideDifference,
  multi_student_t_cholesky_rng: wideDifference,
  lkj_corr_rng: { of: (d) => (1 + d[5]) / 2, cdf: correlation },
  lkj_corr_cholesky_rng: { of: (d) => (1 + d[1] * d[2] + d[4] * d[5]) / 2, cdf: correlation },
  // W₁₁/Σ₁₁ is chi-square with ν degrees of freedom
  wishart_rng: { of: ([w]) => w / 2, cdf: cdfOf('chi_square', 5) },
  wishart_cholesky_rng: { of: ([l]) => (l * l) / 2, cdf: cdfOf('chi_square', 5) },
  // S₁₁/W₁₁ is chi-square with ν − K + 1
  inv_wishart_rng: { of: ([w]) => 2 / w, cdf: cdfOf('chi_square', 8) },
  inv_wishart_cholesky_rng: { of: ([l]) => 2 / (l * l), cdf: cdfOf('chi_square', 8) },
  bernoulli_logit_glm_rng: {
    of: ([y]) => y + 1,
    cdf: stepsOf([1 - logistic(1.6), logistic(1.6)]),
  },
};

/** Arguments, what to average, its expectation. Tolerance: 4.5 standard errors of the draws themselves. */
const cases: Readonly<
  Record<string, { kinds: string; args: readonly unknown[]; value: Value; mean: readonly number[] }>
> = {
  categorical_rng: { kinds: 'R', args: [theta], value: indicator, mean: [0.2, 0.5, 0.3] },
  categorical_logit_rng: { kinds: 'R', args: [logTheta], value: indicator, mean: [0.2, 0.5, 0.3] },
  ordered_logistic_rng: {
    kinds: 'rR',
    args: [0.5, Float64Array.of(-1, 1)],
    value: indicator,
    mean: [logistic(-1.5), logistic(0.5) - logistic(-1.5), 1 - logistic(0.5)],
  },
  ordered_probit_rng: {
    kinds: 'rR',
    args: [0.5, Float64Array.of(-1, 1)],
    value: indicator,
    mean: [0.0668072012688581, 0.6914624612740131 - 0.0668072012688581, 0.3085375387259869],
  },
  multinomial_rng: { kinds: 'Ri', args: [theta, 10], value: itself, mean: [2, 5, 3] },
  multinomial_logit_rng: { kinds: 'Ri', args: [logTheta, 10], value: itself, mean: [2, 5, 3] },
  dirichlet_multinomial_rng: {
    kinds: 'Ri',
    args: [Float64Array.of(1, 2, 2), 10],
    value: itself,
    mean: [2, 4, 4],
  },
  // alpha_0 = 1: variance a (1 − a) / 2
  dirichlet_rng: {
    kinds: 'R',
    args: [theta],
    value: (d) => [...d, (d[0] - 0.2) ** 2],
    mean: [0.2, 0.5, 0.3, 0.08],
  },
  multi_normal_rng: {
    kinds: 'RM',
    args: [mu, covariance],
    value: momentsOf2,
    mean: [1, -2, 2, 0.6, 1],
  },
  multi_normal_prec_rng: {
    kinds: 'RM',
    args: [mu, precision],
    value: momentsOf2,
    mean: [1, -2, 2, 0.6, 1],
  },
  multi_normal_cholesky_rng: {
    kinds: 'RM',
    args: [mu, factor],
    value: momentsOf2,
    mean: [1, -2, 2, 0.6, 1],
  },
  // covariance scale × ν/(ν − 2)
  multi_student_t_rng: {
    kinds: 'rRM',
    args: [12, mu, covariance],
    value: momentsOf2,
    mean: [1, -2, 2.4, 0.72, 1.2],
  },
  multi_student_t_cholesky_rng: {
    kinds: 'rRM',
    args: [12, mu, factor],
    value: momentsOf2,
    mean: [1, -2, 2.4, 0.72, 1.2],
  },
  // off-diagonal correlations of LKJ(η) in K dimensions: variance 1/(2η + K − 1)
  lkj_corr_rng: {
    kinds: 'ir',
    args: [3, 1.5],
    value: (d) => [d[1], d[1] ** 2, d[2] ** 2, d[5] ** 2, d[0], d[4], d[8]],
    mean: [0, 1 / 5, 1 / 5, 1 / 5, 1, 1, 1],
  },
  lkj_corr_cholesky_rng: {
    kinds: 'ir',
    args: [3, 1.5],
    value: (d) => [
      d[1] ** 2,
      d[2] ** 2,
      (d[1] * d[2] + d[4] * d[5]) ** 2,
      d[2] ** 2 + d[5] ** 2 + d[8] ** 2,
    ],
    mean: [1 / 5, 1 / 5, 1 / 5, 1],
  },
  wishart_rng: { kinds: 'rM', args: [5, scale], value: itself, mean: [10, 3, 3, 5] },
  wishart_cholesky_rng: { kinds: 'rM', args: [5, factor], value: product, mean: [10, 3, 5] },
  // S/(ν − K − 1)
  inv_wishart_rng: { kinds: 'rM', args: [9, scale], value: itself, mean: [2 / 6, 0.1, 0.1, 1 / 6] },
  inv_wishart_cholesky_rng: {
    kinds: 'rM',
    args: [9, factor],
    value: product,
    mean: [2 / 6, 0.1, 1 / 6],
  },
  bernoulli_logit_glm_rng: {
    kinds: 'MRR',
    args: [x, Float64Array.of(0.1, 0.2), Float64Array.of(1, -0.5)],
    value: itself,
    mean: [logistic(0.1 + 1 + 0.5), logistic(0.2 + 0.5 - 1)],
  },
};

describe.each(Object.keys(randomStructuredPart))('%s', (key) => {
  const test = cases[key];

  it('has test cases', () => {
    expect([test, marginals[key]]).not.toContain(undefined);
  });

  it('has the marginal of its distribution', () => {
    const rng = createRng(20240612, 1, key);
    const { of, cdf } = marginals[key];
    const draws = Array.from({ length: numDraws }, () =>
      of(numbersOf(randomStructuredPart[key](rng, test.kinds, ...test.args))),
    );
    expect(kolmogorov(draws, cdf)).toBeLessThan(1.95);
  });

  it('has the moments of its distribution', () => {
    const rng = createRng(20240611, 1, key);
    const n = test.mean.length;
    const sums = new Float64Array(n);
    const squares = new Float64Array(n);
    for (let k = 0; k < numDraws; k++) {
      const values = test.value(
        numbersOf(randomStructuredPart[key](rng, test.kinds, ...test.args)),
      );
      for (let i = 0; i < n; i++) {
        sums[i] += values[i];
        squares[i] += values[i] ** 2;
      }
    }
    for (let i = 0; i < n; i++) {
      const mean = sums[i] / numDraws;
      const error = Math.sqrt(Math.max(0, squares[i] / numDraws - mean * mean) / numDraws);
      expect(
        Math.abs(mean - test.mean[i]),
        `moment ${i}: ${mean} for ${test.mean[i]}`,
      ).toBeLessThan(4.5 * error + 1e-12);
    }
  });
});

describe('locations in arrays', () => {
  it('yield one vector per location', () => {
    const rng = createRng(1, 1, 'arrays');
    const draws = randomStructuredPart.multi_normal_cholesky_rng(
      rng,
      '[RM',
      [mu, mu, mu],
      factor,
    ) as Float64Array[];
    expect(draws.map((d) => d.length)).toEqual([2, 2, 2]);
    expect(draws[0]).not.toEqual(draws[1]);
  });
});
