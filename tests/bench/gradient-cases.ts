/** Programs whose gradients are measured: reference posteriors, and larger ones with generated data. */
import type { DataJson } from '../../src/language/program.ts';
import { readData, readProgram, referencePosteriors } from '../support/posteriordb.ts';
import { testRng } from '../support/stan-program.ts';

export interface GradientCase {
  readonly source: string;
  readonly data: DataJson;
}

function posterior(model: string): () => GradientCase {
  return () => {
    const found = Object.values(referencePosteriors).find((entry) => entry.model === model);
    const data = found && readData(found.data);
    if (!data) throw new Error(`the data of ${model} are not here`);
    return { source: readProgram(model), data };
  };
}

/** 10 000 outcomes in 100 groups, row by row. */
function hierarchicalLogit(): GradientCase {
  const rng = testRng(3);
  const n = 10_000;
  const numbers = (f: (i: number) => number) => Array.from({ length: n }, (_, i) => f(i));
  return {
    source: `data { int N; int J; array[N] int<lower=1, upper=J> group; vector[N] x; array[N] int<lower=0, upper=1> y; }
parameters { real mu; real<lower=0> tau; vector[J] a; real b; }
model {
  mu ~ normal(0, 2);
  tau ~ normal(0, 1);
  a ~ normal(mu, tau);
  b ~ normal(0, 1);
  for (n in 1:N) y[n] ~ bernoulli_logit(a[group[n]] + b * x[n]);
}`,
    data: {
      N: n,
      J: 100,
      group: numbers((i) => 1 + (i % 100)),
      x: numbers(() => rng.normal()),
      y: numbers(() => (rng.uniform() < 0.4 ? 1 : 0)),
    },
  };
}

/** A thousand states, each assigned from the previous one. */
function randomWalk(): GradientCase {
  const rng = testRng(4);
  return {
    source: `data { int T; vector[T] y; }
parameters { real<lower=0> s; real<lower=0> r; vector[T] e; }
model {
  vector[T] level;
  level[1] = e[1];
  for (t in 2:T) level[t] = level[t - 1] + s * e[t];
  e ~ std_normal();
  s ~ exponential(1);
  r ~ exponential(1);
  for (t in 1:T) y[t] ~ normal(level[t], r);
}`,
    data: { T: 1000, y: Array.from({ length: 1000 }, () => rng.normal()) },
  };
}

/** The covariance of 60 points written out in two loops. */
function processInLoops(): GradientCase {
  const rng = testRng(6);
  return {
    source: `data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> rho; real<lower=0> alpha; real<lower=0> sigma; }
model {
  matrix[N, N] K;
  for (i in 1:N) {
    K[i, i] = square(alpha) + square(sigma);
    for (j in (i + 1):N) {
      K[i, j] = square(alpha) * exp(-0.5 * square((x[i] - x[j]) / rho));
      K[j, i] = K[i, j];
    }
  }
  rho ~ gamma(4, 4);
  alpha ~ normal(0, 1);
  sigma ~ normal(0, 1);
  y ~ multi_normal(rep_vector(0, N), K);
}`,
    data: {
      N: 60,
      x: Array.from({ length: 60 }, (_, i) => 0.1 * i),
      y: Array.from({ length: 60 }, () => rng.normal()),
    },
  };
}

/** A Gaussian process of 100 points, through the factor of its covariance. */
function processOf100(): GradientCase {
  const rng = testRng(8);
  return {
    source: `data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> rho; real<lower=0> alpha; real<lower=0> sigma; }
model {
  matrix[N, N] L;
  {
    matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
    for (n in 1:N) K[n, n] = K[n, n] + square(sigma);
    L = cholesky_decompose(K);
  }
  rho ~ inv_gamma(5, 5);
  alpha ~ std_normal();
  sigma ~ std_normal();
  y ~ multi_normal_cholesky(rep_vector(0, N), L);
}`,
    data: {
      N: 100,
      x: Array.from({ length: 100 }, (_, i) => 0.1 * i),
      y: Array.from({ length: 100 }, () => rng.normal()),
    },
  };
}

const normals = (n: number, seed: number, scale = 1): number[] => {
  const rng = testRng(seed);
  return Array.from({ length: n }, () => scale * rng.normal());
};

/** 1 000 answers on a scale of five, one by one. */
function orderedInLoop(): GradientCase {
  const x = normals(1000, 9);
  return {
    source: `data { int N; vector[N] x; array[N] int<lower=1, upper=5> y; }
parameters { real b; ordered[4] c; }
model {
  b ~ std_normal();
  c ~ normal(0, 2);
  for (n in 1:N) y[n] ~ ordered_logistic(b * x[n], c);
}`,
    data: { N: 1000, x, y: x.map((value) => Math.max(1, Math.min(5, Math.round(3 + value)))) },
  };
}

/** 1 000 counts, each with its own rate, one by one. */
function countsInLoop(): GradientCase {
  const x = normals(1000, 10);
  return {
    source: `data { int N; vector[N] x; array[N] int<lower=0> y; }
parameters { real a; real b; real<lower=0> phi; }
model {
  a ~ normal(0, 2);
  b ~ std_normal();
  phi ~ exponential(1);
  for (n in 1:N) {
    real eta = a + b * x[n];
    y[n] ~ neg_binomial_2_log(eta, phi);
  }
}`,
    data: { N: 1000, x, y: x.map((value) => Math.round(Math.exp(1 + 0.5 * value))) },
  };
}

/** The same as vectors. */
function countsOfVector(): GradientCase {
  const { data } = countsInLoop();
  return {
    source: `data { int N; vector[N] x; array[N] int<lower=0> y; }
parameters { real a; real b; real<lower=0> phi; }
model {
  a ~ normal(0, 2);
  b ~ std_normal();
  phi ~ exponential(1);
  y ~ neg_binomial_2_log(a + b * x, phi);
}`,
    data,
  };
}

/** Two parameters for each of 30 questions, 500 people. */
function itemResponse(): GradientCase {
  const people = normals(500, 11);
  const rng = testRng(12);
  const rows = people.flatMap((ability, j) =>
    Array.from({ length: 30 }, (_, i) => ({
      person: j + 1,
      item: i + 1,
      y: rng.uniform() < 1 / (1 + Math.exp(0.1 * (i - 15) - ability)) ? 1 : 0,
    })),
  );
  return {
    source: `data { int J; int I; int N; array[N] int jj; array[N] int ii; array[N] int<lower=0, upper=1> y; }
parameters { vector[J] theta; vector[I] b; vector<lower=0>[I] a; }
model {
  theta ~ std_normal();
  b ~ normal(0, 2);
  a ~ lognormal(0, 0.5);
  y ~ bernoulli_logit(a[ii] .* (theta[jj] - b[ii]));
}`,
    data: {
      J: 500,
      I: 30,
      N: rows.length,
      jj: rows.map(({ person }) => person),
      ii: rows.map(({ item }) => item),
      y: rows.map(({ y }) => y),
    },
  };
}

/** 5 000 outcomes with 24 predictors, which are data. */
function regressionOf24(): GradientCase {
  const x = Array.from({ length: 5000 }, (_, n) => normals(24, 100 + n));
  return {
    source: `data { int N; int K; matrix[N, K] x; vector[N] y; }
parameters { real a; vector[K] b; real<lower=0> sigma; }
model {
  a ~ normal(0, 10);
  b ~ std_normal();
  sigma ~ exponential(1);
  y ~ normal(a + x * b, sigma);
}`,
    data: { N: 5000, K: 24, x, y: x.map((row) => row[0] - row[5] + row[7]) },
  };
}

/** Counts of 500 areas of a grid of 25 × 20, each like its neighbours. */
function countsOfAreas(): GradientCase {
  const pairs: [number, number][] = [];
  for (let area = 1; area <= 500; area++) {
    if (area % 25 !== 0) pairs.push([area, area + 1]);
    if (area <= 475) pairs.push([area, area + 25]);
  }
  const x = normals(500, 14);
  return {
    source: `data { int N; int E; array[E] int first; array[E] int second; array[N] int<lower=0> y; vector[N] x; vector[N] exposure; }
transformed data { vector[N] offsets = log(exposure); }
parameters { real a; real b; real<lower=0> sigma; real<lower=0, upper=1> rho; vector[N] theta; vector[N] phi; }
model {
  vector[N] convolved = sqrt(1 - rho) * theta + sqrt(rho) * phi;
  y ~ poisson_log(offsets + a + x * b + convolved * sigma);
  target += -0.5 * dot_self(phi[first] - phi[second]);
  a ~ std_normal();
  b ~ std_normal();
  sigma ~ std_normal();
  rho ~ beta(0.5, 0.5);
  theta ~ std_normal();
  sum(phi) ~ normal(0, 0.5);
}`,
    data: {
      N: 500,
      E: pairs.length,
      first: pairs.map(([first]) => first),
      second: pairs.map(([, second]) => second),
      y: x.map((value) => Math.round(Math.exp(1 + 0.3 * value))),
      x,
      exposure: x.map((value) => 1 + Math.abs(value)),
    },
  };
}

/** A series that ends when a level is reached, with functions that return early. */
function earlyReturns(): GradientCase {
  return {
    source: `functions {
  real growth(real level, real rate, array[] real x) {
    real y = level;
    for (t in 1:size(x)) {
      y += rate * y * (1 - y) + 0.01 * x[t];
      if (y > 0.99) return y;
      if (y < 0.01) continue;
      y *= 0.999;
    }
    return y;
  }
}
data { int N; int T; array[N, T] real x; vector[N] y; }
parameters { real<lower=0, upper=1> level; real<lower=0> rate; real<lower=0> sigma; }
model {
  sigma ~ std_normal();
  rate ~ std_normal();
  for (n in 1:N) y[n] ~ normal(growth(level, rate, x[n]), sigma);
}`,
    data: {
      N: 20,
      T: 50,
      x: Array.from({ length: 20 }, (_, i) => normals(50, 20 + i)),
      y: normals(20, 13, 0.1).map((value) => 0.8 + value),
    },
  };
}

/** 400 times of survival, censored at 2. */
function survivalInLoop(): GradientCase {
  const rng = testRng(41);
  const x = Array.from({ length: 400 }, () => rng.normal());
  const times = x.map((value) => (-Math.log(rng.uniform()) * Math.exp(-0.5 * value)) ** (1 / 1.5));
  return {
    source: `data { int N; vector<lower=0>[N] t; array[N] int d; vector[N] x; }
parameters { real a; real b; real<lower=0> k; }
model {
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  k ~ gamma(2, 1);
  for (n in 1:N) {
    real scale = exp(-(a + b * x[n]) / k);
    if (d[n] == 1) target += weibull_lpdf(t[n] | k, scale);
    else target += weibull_lccdf(t[n] | k, scale);
  }
}`,
    data: {
      N: x.length,
      x,
      t: times.map((time) => Math.min(time, 2)),
      d: times.map((time) => (time < 2 ? 1 : 0)),
    },
  };
}

/** 300 choices among four categories, with five predictors. */
function categoriesInLoop(): GradientCase {
  const rng = testRng(42);
  const [n, numPredictors, numCategories] = [300, 5, 4];
  return {
    source: `data { int K; int N; int D; array[N] int y; matrix[N, D] x; }
parameters { matrix[D, K] beta; }
model {
  matrix[N, K] eta = x * beta;
  to_vector(beta) ~ normal(0, 2);
  for (n in 1:N) y[n] ~ categorical_logit(eta[n]');
}`,
    data: {
      K: numCategories,
      N: n,
      D: numPredictors,
      y: Array.from({ length: n }, () => 1 + Math.floor(rng.uniform() * numCategories)),
      x: Array.from({ length: n }, () => Array.from({ length: numPredictors }, () => rng.normal())),
    },
  };
}

/** A factor analysis of 500 vectors of six numbers. */
function factorAnalysis(): GradientCase {
  const rng = testRng(43);
  const [n, size] = [500, 6];
  return {
    source: `data { int N; int K; array[N] vector[K] y; }
parameters { vector[K] l; vector<lower=0>[K] psi; vector[K] mu; }
model {
  l ~ std_normal();
  psi ~ std_normal();
  mu ~ normal(0, 2);
  y ~ multi_normal(mu, add_diag(l * l', square(psi)));
}`,
    data: {
      N: n,
      K: size,
      y: Array.from({ length: n }, () => {
        const factor = rng.normal();
        return Array.from({ length: size }, (_, k) => (0.5 + 0.1 * k) * factor + rng.normal());
      }),
    },
  };
}

export const gradientCases: Readonly<Record<string, () => GradientCase>> = {
  garch11: posterior('garch11'),
  arma11: posterior('arma11'),
  arK: posterior('arK'),
  hmm_example: posterior('hmm_example'),
  hmm_drive_0: posterior('hmm_drive_0'),
  low_dim_gauss_mix: posterior('low_dim_gauss_mix'),
  gp_pois_regr: posterior('gp_pois_regr'),
  ordered_in_loop: orderedInLoop,
  categories_in_loop: categoriesInLoop,
  survival_in_loop: survivalInLoop,
  factor_analysis: factorAnalysis,
  counts_in_loop: countsInLoop,
  counts_of_vector: countsOfVector,
  item_response: itemResponse,
  early_returns: earlyReturns,
  regression_of_24: regressionOf24,
  counts_of_areas: countsOfAreas,
  gp_in_loops: processInLoops,
  gp_of_100: processOf100,
  hierarchical_logit: hierarchicalLogit,
  random_walk: randomWalk,
  eight_schools: posterior('eight_schools_noncentered'),
  lotka_volterra: posterior('lotka_volterra'),
  one_comp_mm_elim_abs: posterior('one_comp_mm_elim_abs'),
  blr: posterior('blr'),
  kidscore_momiq: posterior('kidscore_momiq'),
  logearn_interaction: posterior('logearn_interaction'),
  nes: posterior('nes'),
  mesquite: posterior('mesquite'),
};
