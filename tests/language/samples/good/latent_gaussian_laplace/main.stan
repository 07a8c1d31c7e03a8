functions {
  real counts(vector theta, data array[] int y, tuple(vector, real) shift) {
    real total = 0;
    for (i in 1 : size(y)) {
      total += neg_binomial_2_log_lpmf(y[i] | theta[i] + shift.1[i], shift.2);
    }
    return total;
  }

  matrix kernel(array[] real x, real alpha, real rho) {
    return add_diag(gp_exp_quad_cov(x, alpha, rho), 1e-6);
  }
}
data {
  int<lower=1> N;
  array[N] real x;
  array[N] int<lower=0> y;
  array[N] int<lower=1, upper=N> group;
  vector[N] m;
}
transformed data {
  tuple(vector[N], real, int, int, int, int) options = generate_laplace_options(N);
  options.4 = 2;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> eta;
}
model {
  alpha ~ normal(0, 1);
  rho ~ inv_gamma(5, 5);
  eta ~ exponential(0.2);
  target += laplace_marginal(counts, (y, (m, eta)), 1, kernel, (x, alpha, rho));
  target += laplace_marginal_tol(counts, (y, (m, eta)), N, kernel, (x, alpha, rho), options);
  y ~ laplace_marginal_poisson_log(group, m, 1, kernel, (x, alpha, rho));
}
generated quantities {
  vector[N] theta = laplace_latent_rng(counts, (y, (m, eta)), 1, kernel, (x, alpha, rho));
  vector[N] other = laplace_latent_tol_poisson_log_rng(y, group, m, 1, kernel, (x, alpha, rho),
                                                       (theta, 1e-8, 100, 1, 10, 1));
}
