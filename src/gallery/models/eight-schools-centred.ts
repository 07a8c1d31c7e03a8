import type { GalleryModel } from '../gallery-model.ts';

const program = `// Eight schools, centred: correct, but when tau is small the effects are squeezed together
// and the sampler cannot follow. Compare with the non-centred form.
data {
  int<lower=0> J;
  array[J] real y;
  array[J] real<lower=0> sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
`;

const data = `{
  "J": 8,
  "y": [28, 8, -3, 7, -1, 1, 18, 12],
  "sigma": [15, 10, 16, 11, 9, 11, 10, 18]
}
`;

/** Eight schools, centred. */
export const eightSchoolsCentred: GalleryModel = {
  slug: 'eight-schools-centred',
  name: 'Eight schools, centred',
  summary:
    'The same model written the direct way: a funnel, made to show divergences.',
  origin:
    'Rubin 1981, Estimation in parallel randomized experiments, Journal of Educational Statistics 6. File from posteriordb (BSD 3-Clause, see LICENCE-posteriordb.txt).',
  entranceFile: 'eight-schools-centred.stan',
  files: { 'eight-schools-centred.stan': program },
  data: { name: 'Eight schools', json: data },
};
