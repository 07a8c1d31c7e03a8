data {
  int<lower=0> N, K, J, L;
  array[N] int<lower=1, upper=J> jj;
  matrix[N, K] x;
  matrix[L, J] u;
  vector[N] y;
}
parameters {
  matrix[K, J] z;
  cholesky_factor_corr[K] L_Omega;
  vector<lower=0, upper=pi() / 2>[K] tau_unif;
  matrix[K, L] gamma;
  real<lower=0> sigma;
}
transformed parameters {
  vector<lower=0>[K] tau = 2.5 * tan(tau_unif);
  matrix[K, J] beta = gamma * u + diag_pre_multiply(tau, L_Omega) * z;
}
model {
  vector[N] mu;
  for (n in 1:N) {
    mu[n] = x[n, ] * beta[ : , jj[n]];
  }
  to_vector(z) ~ std_normal();
  L_Omega ~ lkj_corr_cholesky(2);
  to_vector(gamma) ~ normal(0, 5);
  y ~ normal(mu, sigma);
}
generated quantities {
  corr_matrix[K] Omega = multiply_lower_tri_self_transpose(L_Omega);
  cov_matrix[K] Sigma = quad_form_diag(Omega, tau);
}
