import type { GalleryModel } from '../gallery-model.ts';

const program = `// Logistic regression; temperature in degrees Fahrenheit, centred at 70.
data {
  int<lower=0> N;
  vector[N] temperature;
  array[N] int<lower=0, upper=1> damaged;
}
transformed data {
  vector[N] x = (temperature - 70) / 10;
}
parameters {
  real alpha;
  real beta;
}
model {
  alpha ~ student_t(4, 0, 5);
  beta ~ student_t(4, 0, 2.5);
  damaged ~ bernoulli_logit(alpha + beta * x);
}
generated quantities {
  // Chance of damage at 31 degrees, as on the morning of Challenger's last launch.
  real p_31 = inv_logit(alpha + beta * (31 - 70) / 10);
  // For predictive checks
  array[N] int damaged_rep = bernoulli_logit_rng(alpha + beta * x);
}
`;

const data = `{
  "N": 23,
  "temperature": [53, 57, 58, 63, 66, 67, 67, 67, 68, 69, 70, 70, 70, 70, 72, 73, 75, 75, 76, 76, 78, 79, 81],
  "damaged": [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
}
`;

/** O-rings of the space shuttle. */
export const oRings: GalleryModel = {
  slug: 'o-rings',
  name: 'O-rings of the space shuttle',
  summary:
    'Logistic regression: was an O-ring damaged, given the temperature at launch?',
  origin:
    'Dalal, Fowlkes & Hoadley 1989, Risk analysis of the space shuttle, Journal of the American Statistical Association 84: the 23 flights before Challenger. Published facts.',
  entranceFile: 'o-rings.stan',
  files: { 'o-rings.stan': program },
  data: { name: 'Shuttle flights', json: data },
};
