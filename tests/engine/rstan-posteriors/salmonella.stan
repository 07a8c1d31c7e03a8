// Colonies of bacteria on plates with six doses of quinoline: counts that vary more than Poisson counts.
data {
  int<lower=0> N;
  vector<lower=0>[N] dose;
  array[N] int<lower=0> colonies;
}
transformed data {
  vector[N] log_dose = log(dose + 10) - 4;
}
parameters {
  real alpha;
  real b_log;
  real b_dose;
  real<lower=0> phi;
}
model {
  alpha ~ normal(3, 2);
  b_log ~ normal(0, 1);
  b_dose ~ normal(0, 1);
  phi ~ inv_gamma(3, 30);
  colonies ~ neg_binomial_2_log(alpha + b_log * log_dose + b_dose * dose / 100, phi);
}
