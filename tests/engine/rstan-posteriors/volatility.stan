// Stochastic volatility: the logarithm of the variance is an autoregression.
data {
  int<lower=0> T;
  array[T] real y;
}
parameters {
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=0> sigma;
  vector[T] z;
}
transformed parameters {
  vector[T] h = z * sigma;
  h[1] /= sqrt(1 - square(phi));
  h += mu;
  for (t in 2:T) h[t] += phi * (h[t - 1] - mu);
}
model {
  (phi + 1) / 2 ~ beta(20, 1.5);
  sigma ~ normal(0, 0.5);
  mu ~ normal(0, 3);
  z ~ std_normal();
  y ~ normal(0, exp(h / 2));
}
