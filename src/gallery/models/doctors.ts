import type { GalleryModel } from '../gallery-model.ts';

const program = `// Deaths per person-year, on the log scale. Smoking matters less with age,
// hence its interaction with age.
data {
  int<lower=0> N;
  array[N] int<lower=0> deaths;
  vector<lower=0>[N] person_years;
  vector<lower=0, upper=1>[N] smoker;
  // From 1 (35 to 44 years) to 5 (75 to 84 years)
  vector<lower=1, upper=5>[N] age_group;
}
transformed data {
  vector[N] age = age_group - 3;
  vector[N] log_exposure = log(person_years / 1000);
}
parameters {
  real alpha;
  real b_age;
  real b_age_squared;
  real b_smoker;
  real b_smoker_age;
}
model {
  alpha ~ normal(0, 3);
  b_age ~ normal(0, 2);
  b_age_squared ~ normal(0, 1);
  b_smoker ~ normal(0, 1);
  b_smoker_age ~ normal(0, 1);
  deaths ~ poisson_log(log_exposure + alpha + b_age * age + b_age_squared * square(age)
                       + smoker .* (b_smoker + b_smoker_age * age));
}
generated quantities {
  // How many times as likely a smoker dies of it, in each age group.
  vector[5] rate_ratio;
  for (a in 1:5) {
    rate_ratio[a] = exp(b_smoker + b_smoker_age * (a - 3));
  }
  // For predictive checks
  array[N] int deaths_rep
    = poisson_log_rng(log_exposure + alpha + b_age * age + b_age_squared * square(age)
                      + smoker .* (b_smoker + b_smoker_age * age));
}
`;

const data = `{
  "N": 10,
  "deaths": [32, 104, 206, 186, 102, 2, 12, 28, 28, 31],
  "person_years": [52407, 43248, 28612, 12663, 5317, 18790, 10673, 5710, 2585, 1462],
  "smoker": [1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
  "age_group": [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
}
`;

/** Smoking and heart disease. */
export const doctors: GalleryModel = {
  slug: 'doctors',
  name: 'Smoking and heart disease',
  summary:
    'Poisson regression with exposure: coronary deaths among British doctors by age and smoking.',
  origin:
    'Doll & Hill 1966, as in Breslow 1985, Cohort analysis in epidemiology. Published facts.',
  entranceFile: 'doctors.stan',
  files: { 'doctors.stan': program },
  data: { name: 'British doctors', json: data },
};
