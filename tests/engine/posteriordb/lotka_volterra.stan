// Lynx and hare: predator and prey with lognormal measurement errors.
functions {
  vector growth(real time, vector population, array[] real theta) {
    real prey = population[1];
    real predators = population[2];
    return [(theta[1] - theta[2] * predators) * prey, (theta[4] * prey - theta[3]) * predators]';
  }
}
data {
  int<lower=0> N;
  array[N] real ts;
  array[2] real<lower=0> y_init;
  array[N, 2] real<lower=0> y;
}
parameters {
  array[4] real<lower=0> theta;
  array[2] real<lower=0> z_init;
  array[2] real<lower=0> sigma;
}
transformed parameters {
  array[N] vector[2] z = ode_rk45_tol(growth, to_vector(z_init), 0, ts, 1e-5, 1e-3, 500, theta);
}
model {
  theta[1] ~ normal(1, 0.5);
  theta[3] ~ normal(1, 0.5);
  theta[2] ~ normal(0.05, 0.05);
  theta[4] ~ normal(0.05, 0.05);
  sigma ~ lognormal(-1, 1);
  z_init ~ lognormal(log(10), 1);
  for (species in 1 : 2) {
    y_init[species] ~ lognormal(log(z_init[species]), sigma[species]);
    y[ : , species] ~ lognormal(log(z[ : , species]), sigma[species]);
  }
}
