// For rstan 2.21: as tests/engine/posteriordb/one_comp_mm_elim_abs.stan, with the solver of that time.
functions {
  real[] change(real time, real[] concentration, real[] theta, real[] x_r, int[] x_i) {
    real k_a = theta[1];
    real K_m = theta[2];
    real V_m = theta[3];
    real D = x_r[1];
    real V = x_r[2];
    real absorbed = 0;
    if (time > 0) absorbed = k_a * exp(-k_a * time) * D / V;
    return {absorbed - V_m / V * concentration[1] / (K_m + concentration[1])};
  }
}
data {
  real t0;
  real D;
  real V;
  int<lower=1> N_t;
  real times[N_t];
  real C_hat[N_t];
}
transformed data {
  real start[1] = {0.0};
  real x_r[2] = {D, V};
  int x_i[0];
}
parameters {
  real<lower=0> k_a;
  real<lower=0> K_m;
  real<lower=0> V_m;
  real<lower=0> sigma;
}
transformed parameters {
  real C[N_t, 1];
  {
    real theta[3] = {k_a, K_m, V_m};
    C = integrate_ode_bdf(change, start, t0, times, theta, x_r, x_i);
  }
}
model {
  k_a ~ cauchy(0, 1);
  K_m ~ cauchy(0, 1);
  V_m ~ cauchy(0, 1);
  sigma ~ cauchy(0, 1);
  C_hat ~ lognormal(log(C[ : , 1]), sigma);
}
