/** Posteriors with a closed form, from program to draws: means and variances within their Monte Carlo errors. */
import { describe, it } from 'vitest';
import type { DataJson } from '../../src/language/program.ts';
import { expectMean, sampleModel } from '../support/run-model.ts';
import { modelOf } from '../support/stan-program.ts';

interface Analytic {
  readonly source: string;
  readonly data?: DataJson;
  /** Mean and, if finite, variance by column. */
  readonly moments: Readonly<Record<string, readonly [mean: number, variance?: number]>>;
}

const beta = (a: number, b: number) =>
  [a / (a + b), (a * b) / ((a + b) ** 2 * (a + b + 1))] as const;
const gamma = (a: number, b: number) => [a / b, a / b ** 2] as const;
const invGamma = (a: number, b: number) =>
  [b / (a - 1), b ** 2 / ((a - 1) ** 2 * (a - 2))] as const;
const sum = (x: readonly number[]) => x.reduce((total, value) => total + value, 0);

const y = [1.2, -0.4, 2.3, 0.9, 1.7, 0.1];
const n = y.length;

/** A normal mean with a normal(1, 2) prior and errors of sd 1.5. */
function normalMean(): readonly [number, number] {
  const precision = 1 / 4 + n / 2.25;
  return [(1 / 4 + sum(y) / 2.25) / precision, 1 / precision];
}

/** mu | sigma2 ~ normal(0, sigma2 / 0.5), sigma2 ~ inv_gamma(3, 4): the posterior is of the same form. */
function normalInverseGamma(): Analytic['moments'] {
  const k = 0.5 + n;
  const mean = sum(y) / k;
  const [a, b] = [3 + n / 2, 4 + 0.5 * (sum(y.map((x) => x * x)) - k * mean ** 2)];
  return { mu: [mean, b / (a - 1) / k], sigma2: invGamma(a, b) };
}

/** y = a + b x with errors of sd 0.7 and a, b ~ normal(0, 3): the inverse of a 2 × 2 matrix. */
function regression(): Analytic['moments'] {
  const x = y.map((_, i) => i - 2);
  const [s, p] = [1 / 0.49, 1 / 9];
  const [aa, ab, bb] = [p + s * n, s * sum(x), p + s * sum(x.map((v) => v * v))];
  const [ra, rb] = [s * sum(y), s * sum(x.map((v, i) => v * y[i]))];
  const d = aa * bb - ab * ab;
  return { a: [(bb * ra - ab * rb) / d, bb / d], b: [(aa * rb - ab * ra) / d, aa / d] };
}

/** A random walk observed with noise, both of variance 1, at two times: precision [[3, −1], [−1, 2]]. */
const walk: Analytic['moments'] = {
  'level[1]': [(2 * y[0] + y[1]) / 5, 2 / 5],
  'level[2]': [(y[0] + 3 * y[1]) / 5, 3 / 5],
};

/** Observations of two dimensions with mean 0 and an inverse Wishart prior (7, 2 I). */
function covariance(): Analytic['moments'] {
  const pairs = y.map((value, i) => [value, 0.5 * value - 0.3 * i]);
  const nu = 7 + n;
  const scale = (i: number, j: number) =>
    (i === j ? 2 : 0) + sum(pairs.map((pair) => pair[i] * pair[j]));
  const [s11, s12, s22] = [scale(0, 0), scale(0, 1), scale(1, 1)];
  // mean Ψ / (ν − 3); variance of a diagonal entry 2 Ψ² / ((ν − 3)² (ν − 5))
  const spread = (s: number) => (2 * s * s) / ((nu - 3) ** 2 * (nu - 5));
  return {
    'Sigma[1,1]': [s11 / (nu - 3), spread(s11)],
    'Sigma[1,2]': [s12 / (nu - 3)],
    'Sigma[2,2]': [s22 / (nu - 3), spread(s22)],
  };
}

const cases: Readonly<Record<string, Analytic>> = {
  'beta and binomial': {
    source: `parameters { real<lower=0, upper=1> theta; }
      model { theta ~ beta(2, 3); 7 ~ binomial(20, theta); }`,
    moments: { theta: beta(9, 16) },
  },
  'gamma and Poisson': {
    source: `data { array[4] int y; } parameters { real<lower=0> lambda; }
      model { lambda ~ gamma(2, 1); y ~ poisson(lambda); }`,
    data: { y: [3, 5, 2, 4] },
    moments: { lambda: gamma(16, 5) },
  },
  'gamma and exponential': {
    source: `data { vector[3] y; } parameters { real<lower=0> rate; }
      model { rate ~ gamma(3, 2); y ~ exponential(rate); }`,
    data: { y: [0.4, 1.1, 2.5] },
    moments: { rate: gamma(6, 6) },
  },
  'gamma and Pareto': {
    source: `data { vector[3] y; } parameters { real<lower=0> alpha; }
      model { alpha ~ gamma(2, 1); y ~ pareto(1, alpha); }`,
    data: { y: [1.5, 2, 4] },
    moments: { alpha: gamma(5, 1 + Math.log(12)) },
  },
  'Pareto and uniform': {
    source: `data { vector[3] y; } parameters { real<lower=max(y)> theta; }
      model { theta ~ pareto(1, 4); y ~ uniform(0, theta); }`,
    data: { y: [0.5, 2.5, 1.5] },
    moments: { theta: [(2.5 * 7) / 6, (2.5 ** 2 * 7) / (36 * 5)] },
  },
  'beta and negative binomial': {
    source: `parameters { real<lower=0, upper=1> p; }
      model { p ~ beta(2, 2); 6 ~ neg_binomial(3, p / (1 - p)); }`,
    moments: { p: beta(5, 8) },
  },
  'Dirichlet and multinomial': {
    source: `parameters { simplex[4] theta; }
      model { theta ~ dirichlet([1, 2, 1, 3]'); {4, 0, 7, 2} ~ multinomial(theta); }`,
    moments: {
      'theta[1]': beta(5, 15),
      'theta[2]': beta(2, 18),
      'theta[3]': beta(8, 12),
      'theta[4]': beta(5, 15),
    },
  },
  'normal mean': {
    source: `data { vector[6] y; } parameters { real mu; } model { mu ~ normal(1, 2); y ~ normal(mu, 1.5); }`,
    data: { y },
    moments: { mu: normalMean() },
  },
  'normal variance': {
    source: `data { vector[6] y; } parameters { real<lower=0> v; }
      model { v ~ inv_gamma(4, 3); y ~ normal(0, sqrt(v)); }`,
    data: { y },
    moments: { v: invGamma(4 + n / 2, 3 + sum(y.map((x) => x * x)) / 2) },
  },
  'normal mean and variance': {
    source: `data { vector[6] y; } parameters { real mu; real<lower=0> sigma2; }
      model { sigma2 ~ inv_gamma(3, 4); mu ~ normal(0, sqrt(sigma2 / 0.5)); y ~ normal(mu, sqrt(sigma2)); }`,
    data: { y },
    moments: normalInverseGamma(),
  },
  'linear regression': {
    source: `data { vector[6] y; vector[6] x; } parameters { real a; real b; }
      model { a ~ normal(0, 3); b ~ normal(0, 3); y ~ normal(a + b * x, 0.7); }`,
    data: { y, x: y.map((_, i) => i - 2) },
    moments: regression(),
  },
  'random walk': {
    source: `data { vector[2] y; } parameters { vector[2] level; }
      model { level[1] ~ std_normal(); level[2] ~ normal(level[1], 1); y ~ normal(level, 1); }`,
    data: { y: y.slice(0, 2) },
    moments: walk,
  },
  'inverse Wishart and normal': {
    source: `data { array[6] vector[2] y; } parameters { cov_matrix[2] Sigma; }
      model { Sigma ~ inv_wishart(7, diag_matrix([2, 2]')); y ~ multi_normal([0, 0]', Sigma); }`,
    data: { y: y.map((value, i) => [value, 0.5 * value - 0.3 * i]) },
    moments: covariance(),
  },
  // r has mean 0 and variance 1 / (2 eta + K − 1)
  'LKJ correlations': {
    source: 'parameters { corr_matrix[3] R; } model { R ~ lkj_corr(2); }',
    moments: { 'R[1,2]': [0, 1 / 6], 'R[1,3]': [0, 1 / 6], 'R[2,3]': [0, 1 / 6] },
  },
  // Rényi: the gaps are exponential with rates 3, 2 and 1
  'order statistics of exponentials': {
    source: 'parameters { positive_ordered[3] x; } model { x ~ exponential(1); }',
    moments: {
      'x[1]': [1 / 3, 1 / 9],
      'x[2]': [5 / 6, 1 / 9 + 1 / 4],
      'x[3]': [11 / 6, 1 / 9 + 1 / 4 + 1],
    },
  },
  'directions in space': {
    source: 'parameters { unit_vector[3] x; } model { }',
    moments: { 'x[1]': [0, 1 / 3], 'x[2]': [0, 1 / 3], 'x[3]': [0, 1 / 3] },
  },
  'vectors that sum to zero': {
    source: 'parameters { sum_to_zero_vector[5] x; } model { x ~ std_normal(); }',
    moments: { 'x[1]': [0, 4 / 5], 'x[5]': [0, 4 / 5] },
  },
};

describe('a posterior with a closed form', () => {
  it.each(Object.entries(cases))('%s', (_, { source, data, moments }) => {
    const draws = sampleModel(modelOf(source, data));
    for (const [column, [mean, variance]] of Object.entries(moments)) {
      const chains = draws.get(column);
      expectMean(chains, mean);
      if (variance !== undefined) expectMean(chains, variance, (x) => (x - mean) ** 2);
    }
  });
});
