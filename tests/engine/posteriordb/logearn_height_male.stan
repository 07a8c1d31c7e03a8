// Log earnings on height and sex.
data {
  int<lower=0> N;
  vector<lower=0>[N] earn;
  vector<lower=0>[N] height;
  vector<lower=0, upper=1>[N] male;
}
transformed data {
  vector[N] outcome = log(earn);
  matrix[N, 3] X = append_col(rep_vector(1, N), append_col(height, male));
}
parameters {
  vector[3] beta;
  real<lower=0> sigma;
}
model {
  outcome ~ normal(X * beta, sigma);
}
