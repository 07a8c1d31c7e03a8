// Decimal log earnings on height.
data {
  int<lower=0> N;
  vector<lower=0>[N] earn;
  vector<lower=0>[N] height;
}
transformed data {
  vector[N] outcome = log10(earn);
}
parameters {
  vector[2] beta;
  real<lower=0> sigma;
}
model {
  outcome ~ normal(beta[1] + beta[2] * height, sigma);
}
