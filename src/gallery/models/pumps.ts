import type { GalleryModel } from '../gallery-model.ts';

const program = `// Each pump has its own failure rate; the rates come from one gamma distribution.
data {
  int<lower=0> N;
  // Thousands of hours of operation
  vector<lower=0>[N] time;
  array[N] int<lower=0> failures;
}
parameters {
  vector<lower=0>[N] rate;
  real<lower=0> alpha;
  real<lower=0> beta;
}
model {
  alpha ~ exponential(1);
  beta ~ gamma(0.1, 1);
  rate ~ gamma(alpha, beta);
  failures ~ poisson(rate .* time);
}
generated quantities {
  // For predictive checks and leave-one-out
  array[N] int failures_rep = poisson_rng(rate .* time);
  vector[N] log_lik;
  for (n in 1:N) {
    log_lik[n] = poisson_lpmf(failures[n] | rate[n] * time[n]);
  }
}
`;

const data = `{
  "N": 10,
  "time": [94.3, 15.7, 62.9, 126, 5.24, 31.4, 1.05, 1.05, 2.1, 10.5],
  "failures": [5, 1, 5, 14, 3, 19, 1, 1, 4, 22]
}
`;

/** Pump failures. */
export const pumps: GalleryModel = {
  slug: 'pumps',
  name: 'Pump failures',
  summary:
    'Hierarchical Poisson model: failure rates of ten pumps in a power plant share a gamma distribution.',
  origin:
    'Gaver & O\'Muircheartaigh 1987, Robust empirical Bayes analyses of event rates, Technometrics 29. Published facts.',
  entranceFile: 'pumps.stan',
  files: { 'pumps.stan': program },
  data: { name: 'Pumps', json: data },
};
