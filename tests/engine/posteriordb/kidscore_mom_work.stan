// Test scores on the mother's work, a factor of four levels.
data {
  int<lower=0> N;
  vector<lower=0, upper=200>[N] kid_score;
  array[N] int<lower=1, upper=4> mom_work;
}
transformed data {
  matrix[N, 4] X = rep_matrix(0, N, 4);
  for (n in 1 : N) {
    X[n, 1] = 1;
    if (mom_work[n] > 1) {
      X[n, mom_work[n]] = 1;
    }
  }
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  kid_score ~ normal(X * beta, sigma);
}
