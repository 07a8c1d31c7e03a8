data {
  int<lower=1> N;
  array[N] real x;
  vector[N] y;
  int<lower=1> N_new;
  array[N_new] real x_new;
}
transformed data {
  real delta = 1e-9;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real<lower=0> sigma;
  vector[N] eta;
}
transformed parameters {
  vector[N] f;
  {
    matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
    matrix[N, N] L_K;
    for (n in 1:N) K[n, n] = K[n, n] + delta;
    L_K = cholesky_decompose(K);
    f = L_K * eta;
  }
}
model {
  rho ~ inv_gamma(5, 5);
  alpha ~ std_normal();
  sigma ~ std_normal();
  eta ~ std_normal();
  y ~ normal(f, sigma);
}
generated quantities {
  matrix[N, N] K = add_diag(gp_exp_quad_cov(x, alpha, rho), square(sigma));
  matrix[N, N_new] K_new = gp_exp_quad_cov(x, x_new, alpha, rho);
  vector[N_new] mean_new = K_new' * mdivide_left_spd(K, y);
}
