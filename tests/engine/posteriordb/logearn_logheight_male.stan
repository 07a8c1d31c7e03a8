// Log earnings on log height and sex.
data {
  int<lower=0> N;
  vector<lower=0>[N] earn;
  vector<lower=0>[N] height;
  vector<lower=0, upper=1>[N] male;
}
transformed data {
  vector[N] outcome = log(earn);
  vector[N] log_height = log(height);
}
parameters {
  vector[3] beta;
  real<lower=0> sigma;
}
model {
  outcome ~ normal(beta[1] + log_height * beta[2] + male * beta[3], sigma);
}
