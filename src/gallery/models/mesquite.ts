import type { GalleryModel } from '../gallery-model.ts';

const program = `// Regression on the log scale; centred predictors keep the intercept apart from the slopes.
data {
  int<lower=0> N;
  vector<lower=0>[N] weight;
  vector<lower=0>[N] diam1;
  vector<lower=0>[N] diam2;
  vector<lower=0>[N] canopy_height;
  vector<lower=0>[N] total_height;
  vector<lower=0>[N] density;
  vector[N] group;
}
transformed data {
  vector[N] log_weight = log(weight);
  matrix[N, 6] X;
  X[, 1] = log(diam1);
  X[, 2] = log(diam2);
  X[, 3] = log(canopy_height);
  X[, 4] = log(total_height);
  X[, 5] = log(density);
  X[, 6] = group;
  for (k in 1:6) {
    X[, k] = X[, k] - mean(X[, k]);
  }
}
parameters {
  real alpha;
  vector[6] beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(6, 2);
  beta ~ normal(0, 2);
  sigma ~ normal(0, 1);
  log_weight ~ normal(alpha + X * beta, sigma);
}
generated quantities {
  // Which predictors share what they know: diameters and heights are strongly correlated.
  real diameters = beta[1] + beta[2];
  real heights = beta[3] + beta[4];
  // For predictive checks and leave-one-out
  array[N] real weight_rep = exp(normal_rng(alpha + X * beta, sigma));
  vector[N] log_lik;
  for (n in 1:N) {
    log_lik[n] = lognormal_lpdf(weight[n] | alpha + X[n] * beta, sigma);
  }
}
`;

const data = `{
  "N": 46,
  "weight": [
    401.3, 513.7, 1179.2, 308, 855.2, 268.7, 155.5, 1253.2, 328, 614.6, 60.2, 269.6, 448.4, 120.4, 378.7,
    266.4, 138.9, 1020.8, 635.7, 621.8, 579.8, 326.8, 66.7, 68, 153.1, 256.4, 723, 4052, 345, 330.9, 163.5,
    1160, 386.6, 693.5, 674.4, 217.5, 771.3, 341.7, 125.7, 462.5, 64.5, 850.6, 226, 1745.1, 908, 213.5
  ],
  "diam1": [
    1.8, 1.7, 2.8, 1.3, 3.3, 1.4, 1.5, 3.9, 1.8, 2.1, 0.8, 1.3, 1.2, 1.5, 2.8, 1.4, 1.5, 2.4, 1.9, 2.3, 2.1,
    2.4, 1, 1.3, 1.1, 1.3, 2.5, 5.2, 2, 1.6, 1.4, 3.2, 1.9, 2.4, 2.5, 2.1, 2.4, 2.4, 1.9, 2.7, 1.3, 2.9, 2.1,
    4.1, 2.8, 1.27
  ],
  "diam2": [
    1.15, 1.35, 2.55, 0.85, 1.9, 1.4, 0.5, 2.3, 1.35, 1.6, 0.63, 0.95, 0.9, 0.7, 1.7, 0.85, 0.6, 2.4, 1.55,
    1.6, 1.7, 1.3, 0.4, 0.6, 0.7, 1.2, 2.3, 4, 1.6, 1.6, 1, 1.9, 1.8, 2.4, 1.8, 1.5, 2.2, 1.7, 1.2, 2.5, 1.1,
    2.7, 1, 3.8, 2.5, 1
  ],
  "canopy_height": [
    1, 1.33, 0.6, 1.2, 1.05, 1, 0.9, 1.3, 0.6, 0.8, 0.6, 0.95, 1.2, 0.7, 1.2, 1.1, 0.64, 1.2, 1.2, 1.3, 1,
    0.9, 1, 0.5, 0.9, 0.6, 1.4, 2.5, 1.4, 1.3, 1.1, 1.5, 0.8, 1.1, 1.3, 0.85, 1.5, 1.2, 1.15, 1.5, 0.7, 1.9,
    1.5, 1.5, 1.5, 0.62
  ],
  "total_height": [
    1.3, 1.35, 2.16, 1.8, 1.55, 1.2, 1, 1.7, 0.8, 1.2, 0.9, 1.35, 1.4, 1, 1.7, 1.5, 0.65, 1.5, 1.7, 1.7, 1.5,
    1.5, 1.2, 0.7, 1.2, 0.8, 1.7, 3, 1.7, 1.6, 1.5, 1.9, 1.1, 1.6, 2, 1.25, 2, 1.3, 1.45, 2.2, 0.7, 1.9, 1.8,
    2, 2.2, 0.92
  ],
  "density": [
    1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 5, 9, 1, 1, 1, 3, 1, 3, 7,
    1, 2, 2, 2, 3, 1, 1, 2, 2, 1, 1
  ],
  "group": [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
  ]
}
`;

/** Mesquite bushes. */
export const mesquite: GalleryModel = {
  slug: 'mesquite',
  name: 'Mesquite bushes',
  summary:
    'Linear regression on the log scale: leaf weight of bushes from six correlated measures of their size.',
  origin:
    'Freund & Minton 1979, as in Gelman & Hill 2007, chapter 4. File from posteriordb (BSD 3-Clause, see LICENCE-posteriordb.txt).',
  entranceFile: 'mesquite.stan',
  files: { 'mesquite.stan': program },
  data: { name: 'Mesquite bushes', json: data },
};
