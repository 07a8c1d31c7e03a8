// Log yield on log canopy volume and area.
data {
  int<lower=0> N;
  vector[N] weight;
  vector[N] diam1;
  vector[N] diam2;
  vector[N] canopy_height;
  vector[N] group;
}
transformed data {
  vector[N] log_volume = log(diam1 .* diam2 .* canopy_height);
  vector[N] log_area = log(diam1 .* diam2);
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  log(weight) ~ normal(beta[1] + beta[2] * log_volume + beta[3] * log_area + beta[4] * group, sigma);
}
