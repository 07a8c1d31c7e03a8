import type { GalleryModel } from '../gallery-model.ts';

const program = `// Eight schools, non-centred: the schools' effects are scaled standard normals,
// so that the sampler meets no funnel when tau is small.
data {
  int<lower=0> J;
  array[J] real y;
  array[J] real<lower=0> sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta_tilde;
}
transformed parameters {
  vector[J] theta = mu + tau * theta_tilde;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  theta_tilde ~ std_normal();
  y ~ normal(theta, sigma);
}
generated quantities {
  vector[J] log_lik;
  for (j in 1:J) {
    log_lik[j] = normal_lpdf(y[j] | theta[j], sigma[j]);
  }
}
`;

const data = `{
  "J": 8,
  "y": [28, 8, -3, 7, -1, 1, 18, 12],
  "sigma": [15, 10, 16, 11, 9, 11, 10, 18]
}
`;

/** Eight schools. */
export const eightSchools: GalleryModel = {
  slug: 'eight-schools',
  name: 'Eight schools',
  summary:
    'Effects of coaching in eight schools, partially pooled; the non-centred form that samples well.',
  origin:
    'Rubin 1981, Estimation in parallel randomized experiments, Journal of Educational Statistics 6. File from posteriordb (BSD 3-Clause, see LICENCE-posteriordb.txt).',
  entranceFile: 'eight-schools.stan',
  files: { 'eight-schools.stan': program },
  data: { name: 'Eight schools', json: data },
  // The half-Cauchy on tau leaves a sharp corner at 0: shorter steps spare the odd divergence there.
  settings: { adapt_delta: 0.95 },
};
