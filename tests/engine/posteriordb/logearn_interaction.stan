// Log earnings on height, sex and their product.
data {
  int<lower=0> N;
  vector<lower=0>[N] earn;
  vector<lower=0>[N] height;
  vector<lower=0, upper=1>[N] male;
}
transformed data {
  vector[N] outcome = log(earn);
  vector[N] product = height .* male;
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  outcome ~ normal(beta[1] + beta[2] * height + beta[3] * male + beta[4] * product, sigma);
}
