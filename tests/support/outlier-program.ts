/** A regression with outliers whose log likelihoods have heavy tails, as a program and as formulas. */
import { readFileSync } from 'node:fs';

interface Reference {
  readonly x: number[];
  readonly y: number[];
  /** Points of five values, four coefficients and log sigma. */
  readonly draws: number[];
  readonly k: number[];
  readonly exact_elpd: number[];
}

export const outliers = JSON.parse(
  readFileSync(
    new URL('../fixtures/posterior/moment-match-reference.json', import.meta.url),
    'utf8',
  ),
) as Reference;

export const outlierData = { N: outliers.x.length, x: outliers.x, y: outliers.y };

export const outlierProgram = `data { int N; vector[N] x; vector[N] y; }
parameters { vector[4] beta; real<lower=0> sigma; }
transformed parameters {
  vector[N] mu = beta[1] + beta[2] * x + beta[3] * square(x) + beta[4] * (x .* square(x));
}
model { target += -log(sigma); y ~ normal(mu, sigma); }
generated quantities {
  vector[N] log_lik;
  for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu[n], sigma);
}
`;

/** log p(y_i) at a point. */
export function outlierLogLik(point: Float64Array, i: number): number {
  const x = outliers.x[i];
  const mu = point[0] + point[1] * x + point[2] * x ** 2 + point[3] * x ** 3;
  const sigma = Math.exp(point[4]);
  return -0.5 * Math.log(2 * Math.PI) - point[4] - 0.5 * ((outliers.y[i] - mu) / sigma) ** 2;
}

export const outlierLogDensity = (point: Float64Array): number =>
  outliers.y.reduce((sum, _, i) => sum + outlierLogLik(point, i), 0);
