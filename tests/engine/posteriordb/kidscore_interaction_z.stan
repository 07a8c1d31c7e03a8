// The interaction of schooling and IQ, predictors divided by two standard deviations.
data {
  int<lower=0> N;
  vector<lower=0, upper=200>[N] kid_score;
  vector<lower=0, upper=1>[N] mom_hs;
  vector<lower=0, upper=200>[N] mom_iq;
}
transformed data {
  matrix[N, 4] X;
  X[ : , 1] = rep_vector(1, N);
  X[ : , 2] = (mom_hs - mean(mom_hs)) / (2 * sd(mom_hs));
  X[ : , 3] = (mom_iq - mean(mom_iq)) / (2 * sd(mom_iq));
  X[ : , 4] = X[ : , 2] .* X[ : , 3];
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  kid_score ~ normal(X * beta, sigma);
}
