functions {
  array[] real sir(real t, array[] real y, array[] real theta, array[] real x_r,
                   array[] int x_i) {
    array[3] real dydt;
    int N = x_i[1];
    dydt[1] = -theta[1] * y[2] * y[1] / N;
    dydt[2] = theta[1] * y[2] * y[1] / N - theta[2] * y[2];
    dydt[3] = theta[2] * y[2];
    return dydt;
  }
}
data {
  int<lower=1> n_days;
  array[3] real y0;
  real t0;
  array[n_days] real ts;
  int N;
  array[n_days] int cases;
}
transformed data {
  array[0] real x_r;
  array[1] int x_i = {N};
}
parameters {
  real<lower=0> gamma;
  real<lower=0> beta;
  real<lower=0> phi_inv;
}
transformed parameters {
  array[n_days, 3] real y;
  real phi = 1. / phi_inv;
  {
    array[2] real theta = {beta, gamma};
    y = integrate_ode_rk45(sir, y0, t0, ts, theta, x_r, x_i);
  }
}
model {
  beta ~ normal(2, 1);
  gamma ~ normal(0.4, 0.5);
  phi_inv ~ exponential(5);
  cases ~ neg_binomial_2(col(to_matrix(y), 2), phi);
}
