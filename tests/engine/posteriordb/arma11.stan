// ARMA(1, 1): the error before the first observation is 0, the observation there the mean.
data {
  int<lower=1> T;
  array[T] real y;
}
parameters {
  real mu;
  real phi;
  real theta;
  real<lower=0> sigma;
}
model {
  vector[T] innovation;
  innovation[1] = y[1] - (mu + phi * mu);
  for (t in 2 : T) {
    innovation[t] = y[t] - (mu + phi * y[t - 1] + theta * innovation[t - 1]);
  }
  mu ~ normal(0, 10);
  phi ~ normal(0, 2);
  theta ~ normal(0, 2);
  sigma ~ cauchy(0, 2.5);
  innovation ~ normal(0, sigma);
}
