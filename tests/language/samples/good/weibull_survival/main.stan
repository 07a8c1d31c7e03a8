data {
  int<lower=0> N_obs, N_cens;
  array[N_obs] real<lower=0> t_obs;
  array[N_cens] real<lower=0> t_cens;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> sigma;
}
model {
  alpha ~ gamma(2, 1);
  sigma ~ inv_gamma(2, 10);
  t_obs ~ weibull(alpha, sigma);
  target += weibull_lccdf(t_cens | alpha, sigma);
}
generated quantities {
  real median_time = sigma * pow(log(2), inv(alpha));
  real<lower=0> t_new = weibull_rng(alpha, sigma);
}
