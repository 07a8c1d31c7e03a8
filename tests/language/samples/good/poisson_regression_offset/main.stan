data {
  int<lower=0> N;
  array[N] int<lower=0> counts;
  vector<lower=0>[N] exposure;
  vector[N] x;
}
transformed data {
  vector[N] log_exposure = log(exposure);
}
parameters {
  real a;
  real b;
  real<lower=0> phi;
}
model {
  a ~ normal(0, 5);
  b ~ normal(0, 1);
  phi ~ gamma(2, 0.1);
  counts ~ neg_binomial_2_log(a + b * x + log_exposure, phi);
}
generated quantities {
  array[N] int counts_rep;
  for (n in 1:N) {
    real eta = a + b * x[n] + log_exposure[n];
    counts_rep[n] = eta > 20 ? -1 : neg_binomial_2_log_rng(eta, phi);
  }
}
