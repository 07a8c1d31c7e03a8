import type { GalleryModel } from '../gallery-model.ts';

const program = `// Binomial regression on log dose (log g/ml).
data {
  int<lower=0> N;
  vector[N] log_dose;
  array[N] int<lower=0> animals;
  array[N] int<lower=0> deaths;
}
parameters {
  real alpha;
  real beta;
}
model {
  alpha ~ normal(0, 2.5);
  beta ~ normal(10, 10);
  deaths ~ binomial_logit(animals, alpha + beta * log_dose);
}
generated quantities {
  // The log dose at which half of the animals die.
  real ld50 = -alpha / beta;
}
`;

const data = `{
  "N": 4,
  "log_dose": [-0.86, -0.3, -0.05, 0.73],
  "animals": [5, 5, 5, 5],
  "deaths": [0, 1, 3, 5]
}
`;

/** Bioassay. */
export const bioassay: GalleryModel = {
  slug: 'bioassay',
  name: 'Bioassay',
  summary:
    'Dose and response: how much of a compound kills half of the animals?',
  origin:
    'Racine, Grieve, Fluehler & Smith 1986, Bayesian methods in practice, Applied Statistics 35; as in Gelman et al., Bayesian Data Analysis, section 3.7. Published facts.',
  entranceFile: 'bioassay.stan',
  files: { 'bioassay.stan': program },
  data: { name: 'Bioassay', json: data },
};
