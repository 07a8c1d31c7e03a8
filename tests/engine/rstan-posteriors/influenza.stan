// Boys in bed each day of an influenza in a boarding school: a system of differential equations.
functions {
  array[] real flow(real t, array[] real y, array[] real theta, array[] real x_r, array[] int x_i) {
    array[3] real dy;
    real infections = theta[1] * y[1] * y[2] / x_i[1];
    real recoveries = theta[2] * y[2];
    dy[1] = -infections;
    dy[2] = infections - recoveries;
    dy[3] = recoveries;
    return dy;
  }
}
data {
  int<lower=1> T;
  array[T] int<lower=0> in_bed;
  int<lower=1> boys;
}
transformed data {
  array[0] real x_r;
  array[1] int x_i = {boys};
  array[3] real start = {boys - 1.0, 1.0, 0.0};
  array[T] real days;
  for (t in 1:T) days[t] = t;
}
parameters {
  real<lower=0> infection;
  real<lower=0> recovery;
  real<lower=0> inv_phi;
}
transformed parameters {
  array[T, 3] real y = integrate_ode_rk45(flow, start, 0, days, {infection, recovery}, x_r, x_i);
}
model {
  infection ~ normal(2, 1);
  recovery ~ normal(0.4, 0.5);
  inv_phi ~ exponential(5);
  in_bed ~ neg_binomial_2(to_vector(y[, 2]) + 1e-5, 1 / inv_phi);
}
