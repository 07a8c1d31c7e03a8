import type { GalleryModel } from '../gallery-model.ts';

const program = `// Each rat grows along its own line; intercepts (at day 22) and slopes are normal.
data {
  int<lower=0> N;
  int<lower=0> T;
  vector[T] day;
  array[N] vector[T] weight;
}
transformed data {
  vector[T] x = day - mean(day);
}
parameters {
  real mu_alpha;
  real mu_beta;
  real<lower=0> sigma_alpha;
  real<lower=0> sigma_beta;
  real<lower=0> sigma;
  vector[N] alpha;
  vector[N] beta;
}
model {
  mu_alpha ~ normal(250, 50);
  mu_beta ~ normal(6, 3);
  sigma_alpha ~ normal(0, 30);
  sigma_beta ~ normal(0, 2);
  sigma ~ normal(0, 15);
  alpha ~ normal(mu_alpha, sigma_alpha);
  beta ~ normal(mu_beta, sigma_beta);
  for (n in 1:N) {
    weight[n] ~ normal(alpha[n] + beta[n] * x, sigma);
  }
}
generated quantities {
  // Expected weight at birth.
  real weight_at_birth = mu_alpha - mu_beta * mean(day);
}
`;

const data = `{
  "N": 30,
  "T": 5,
  "day": [8, 15, 22, 29, 36],
  "weight": [
    [151, 199, 246, 283, 320],
    [145, 199, 249, 293, 354],
    [147, 214, 263, 312, 328],
    [155, 200, 237, 272, 297],
    [135, 188, 230, 280, 323],
    [159, 210, 252, 298, 331],
    [141, 189, 231, 275, 305],
    [159, 201, 248, 297, 338],
    [177, 236, 285, 350, 376],
    [134, 182, 220, 260, 296],
    [160, 208, 261, 313, 352],
    [143, 188, 220, 273, 314],
    [154, 200, 244, 289, 325],
    [171, 221, 270, 326, 358],
    [163, 216, 242, 281, 312],
    [160, 207, 248, 288, 324],
    [142, 187, 234, 280, 316],
    [156, 203, 243, 283, 317],
    [157, 212, 259, 307, 336],
    [152, 203, 246, 286, 321],
    [154, 205, 253, 298, 334],
    [139, 190, 225, 267, 302],
    [146, 191, 229, 272, 302],
    [157, 211, 250, 285, 323],
    [132, 185, 237, 286, 331],
    [160, 207, 257, 303, 345],
    [169, 216, 261, 295, 333],
    [157, 205, 248, 289, 316],
    [137, 180, 219, 258, 291],
    [153, 200, 244, 286, 324]
  ]
}
`;

/** Growth of rats. */
export const rats: GalleryModel = {
  slug: 'rats',
  name: 'Growth of rats',
  summary:
    'Hierarchical linear growth: thirty rats weighed weekly, each with its own line.',
  origin:
    'Gelfand, Hills, Racine-Poon & Smith 1990, Illustration of Bayesian inference in normal data models using Gibbs sampling, Journal of the American Statistical Association 85, section 6. Published facts.',
  entranceFile: 'rats.stan',
  files: { 'rats.stan': program },
  data: { name: 'Rats', json: data },
};
