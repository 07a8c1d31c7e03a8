functions {
  real ll(vector theta, data array[] int y, real eta) {
    return poisson_log_lpmf(y | theta + eta);
  }

  real ll_fixed(data vector theta, real eta) {
    return eta;
  }

  vector slope(real t, vector z, real a) {
    return a * z;
  }

  real ll_ode(vector theta, real a) {
    return sum(ode_rk45(slope, theta, 0, {1.0}, a)[1]);
  }

  matrix K(array[] real x, real alpha) {
    return gp_exp_quad_cov(x, alpha, 1);
  }
}
data {
  int n;
  array[n] int y;
  array[n] real x;
}
parameters {
  real<lower=0> alpha;
  vector[n] m;
  real eta;
}
model {
  target += laplace_marginal(ll, (y, eta), 1, K);
  target += laplace_marginal(ll, (y, eta), 1, K, (x, alpha), 1e-8);
  target += laplace_marginal(ll, (y, eta), eta, K, (x, alpha));
  target += laplace_marginal(ll, {eta}, 1, K, (x, alpha));
  target += laplace_marginal(ll, (eta, y), 1, K, (x, alpha));
  target += laplace_marginal(ll_fixed, (eta,), 1, K, (x, alpha));
  target += laplace_marginal(ll_ode, (eta,), 1, K, (x, alpha));
  target += laplace_marginal(eta, (eta,), 1, K, (x, alpha));
  target += laplace_marginal_tol(ll, (y, eta), 1, K, (x, alpha), (m, 1e-8, 10));
  target += laplace_marginal_tol(ll, (y, eta), 1, K, (x, alpha), (m, eta, 10, 1.5, 10, 1));
  y ~ laplace_marginal_poisson_log(x, m, 1, K, (x, alpha));
  tuple(vector[n], matrix[n, n]) s = laplace_latent_solve(ll, (y, eta), 1, K, (x, alpha));
}
