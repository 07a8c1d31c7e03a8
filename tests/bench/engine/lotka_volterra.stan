// For rstan 2.21: as tests/engine/posteriordb/lotka_volterra.stan, with the solver of that time.
functions {
  real[] growth(real time, real[] population, real[] theta, real[] x_r, int[] x_i) {
    real prey = population[1];
    real predators = population[2];
    return {(theta[1] - theta[2] * predators) * prey, (theta[4] * prey - theta[3]) * predators};
  }
}
data {
  int<lower=0> N;
  real ts[N];
  real<lower=0> y_init[2];
  real<lower=0> y[N, 2];
}
parameters {
  real<lower=0> theta[4];
  real<lower=0> z_init[2];
  real<lower=0> sigma[2];
}
transformed parameters {
  real z[N, 2] = integrate_ode_rk45(growth, z_init, 0, ts, theta, rep_array(0.0, 0), rep_array(0, 0),
                                    1e-5, 1e-3, 500);
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
