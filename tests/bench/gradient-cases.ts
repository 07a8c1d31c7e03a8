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

/** A thousand states, each assigned from the one before. */
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

export const gradientCases: Readonly<Record<string, () => GradientCase>> = {
  garch11: posterior('garch11'),
  arma11: posterior('arma11'),
  arK: posterior('arK'),
  hmm_example: posterior('hmm_example'),
  hmm_drive_0: posterior('hmm_drive_0'),
  low_dim_gauss_mix: posterior('low_dim_gauss_mix'),
  gp_pois_regr: posterior('gp_pois_regr'),
  gp_in_loops: processInLoops,
  hierarchical_logit: hierarchicalLogit,
  random_walk: randomWalk,
  eight_schools: posterior('eight_schools_noncentered'),
  lotka_volterra: posterior('lotka_volterra'),
};
