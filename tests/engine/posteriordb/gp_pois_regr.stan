// Counts whose log rate is a Gaussian process.
data {
  int<lower=1> N;
  array[N] real x;
  array[N] int<lower=0> k;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  vector[N] white;
}
transformed parameters {
  vector[N] f;
  {
    matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
    for (n in 1 : N) {
      K[n, n] += 1e-10;
    }
    f = cholesky_decompose(K) * white;
  }
}
model {
  rho ~ gamma(25, 4);
  alpha ~ normal(0, 2);
  white ~ std_normal();
  k ~ poisson_log(f);
}
