// Summer temperatures by year, with the priors among the data.
data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
  real xpred;
  real pmualpha;
  real<lower=0> psalpha;
  real pmubeta;
  real<lower=0> psbeta;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(pmualpha, psalpha);
  beta ~ normal(pmubeta, psbeta);
  y ~ normal(alpha + beta * x, sigma);
}
generated quantities {
  real ypred = normal_rng(alpha + beta * xpred, sigma);
}
