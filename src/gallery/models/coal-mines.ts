import type { GalleryModel } from '../gallery-model.ts';

const program = `// Poisson counts whose rate changes once. The year of the change is discrete,
// so it is summed out of the density and drawn afterwards.
data {
  int<lower=1> T;
  array[T] int<lower=0> disasters;
  int first_year;
}
parameters {
  real<lower=0> early_rate;
  real<lower=0> late_rate;
}
transformed parameters {
  // log density of all counts, for each year in which the late rate may begin
  vector[T] log_p = rep_vector(-log(T), T);
  {
    vector[T + 1] early = rep_vector(0, T + 1);
    vector[T + 1] late = rep_vector(0, T + 1);
    for (t in 1:T) {
      early[t + 1] = early[t] + poisson_lpmf(disasters[t] | early_rate);
      late[t + 1] = late[t] + poisson_lpmf(disasters[t] | late_rate);
    }
    for (t in 1:T) {
      log_p[t] += early[t] + late[T + 1] - late[t];
    }
  }
}
model {
  early_rate ~ exponential(0.5);
  late_rate ~ exponential(0.5);
  target += log_sum_exp(log_p);
}
generated quantities {
  int change_year = first_year - 1 + categorical_rng(softmax(log_p));
}
`;

const data = `{
  "T": 111,
  "disasters": [
    4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5, 3, 4, 2, 5, 2, 2, 3,
    4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1, 0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0,
    0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1, 2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0,
    1, 0, 0, 1, 0, 1
  ],
  "first_year": 1851
}
`;

/** Coal mining disasters. */
export const coalMines: GalleryModel = {
  slug: 'coal-mines',
  name: 'Coal mining disasters',
  summary:
    'A change point found without discrete parameters: the year is summed out.',
  origin:
    'Disasters per year in British coal mines, 1851 to 1961: Jarrett 1979, A note on the intervals between coal-mining disasters, Biometrika 66. Published facts.',
  entranceFile: 'coal-mines.stan',
  files: { 'coal-mines.stan': program },
  data: { name: 'Coal mining disasters', json: data },
};
