// Mortality of operations in twelve hospitals, whose rates come from one beta distribution.
data {
  int<lower=0> N;
  array[N] int<lower=0> deaths;
  array[N] int<lower=0> operations;
}
parameters {
  real<lower=0, upper=1> mu;
  real<lower=1> kappa;
  vector<lower=0, upper=1>[N] rate;
}
model {
  mu ~ beta(1, 9);
  kappa ~ pareto(1, 0.5);
  rate ~ beta_proportion(mu, kappa);
  deaths ~ binomial(operations, rate);
}
