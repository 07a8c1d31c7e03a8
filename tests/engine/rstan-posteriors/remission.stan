// Weeks of remission of leukaemia under treatment or placebo: Weibull times, some of them censored.
data {
  int<lower=0> N;
  vector<lower=0>[N] weeks;
  array[N] int<lower=0, upper=1> censored;
  vector[N] treated;
}
parameters {
  real<lower=0> shape;
  real log_scale;
  real effect;
}
model {
  shape ~ lognormal(0, 0.5);
  log_scale ~ normal(2, 1);
  effect ~ normal(0, 1);
  for (n in 1:N) {
    real scale = exp(log_scale + effect * treated[n]);
    if (censored[n] == 1) target += weibull_lccdf(weeks[n] | shape, scale);
    else weeks[n] ~ weibull(shape, scale);
  }
}
generated quantities {
  real hazard_ratio = exp(-shape * effect);
}
