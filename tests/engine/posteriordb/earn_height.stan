// Earnings on height.
data {
  int<lower=0> N;
  vector<lower=0>[N] earn;
  vector<lower=0>[N] height;
}
parameters {
  vector[2] beta;
  real<lower=0> sigma;
}
model {
  earn ~ normal(beta[1] + beta[2] * height, sigma);
}
