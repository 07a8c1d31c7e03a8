// Autoregression of order K: the first K observations are given.
data {
  int<lower=0> K;
  int<lower=K> T;
  array[T] real y;
}
parameters {
  real alpha;
  array[K] real beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 10);
  sigma ~ cauchy(0, 2.5);
  for (t in K + 1 : T) {
    real past = 0;
    for (lag in 1 : K) {
      past += beta[lag] * y[t - lag];
    }
    y[t] ~ normal(alpha + past, sigma);
  }
}
