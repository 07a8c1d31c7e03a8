// Head acceleration in a crash: mean and log scale are approximate Gaussian processes (Laplacian eigenfunctions).
functions {
  vector basis_weights(array[] vector root_eigenvalues, real sd, real length_scale) {
    int B = size(root_eigenvalues);
    vector[B] weights;
    for (b in 1 : B) {
      weights[b] = sd * sqrt(sqrt(2 * pi()) * length_scale)
                   * exp(-0.25 * square(length_scale) * dot_self(root_eigenvalues[b]));
    }
    return weights;
  }
}
data {
  int<lower=1> N;
  vector[N] Y;
  int<lower=1> Dgp_1;
  int<lower=1> NBgp_1;
  matrix[N, NBgp_1] Xgp_1;
  array[NBgp_1] vector[Dgp_1] slambda_1;
  int<lower=1> Dgp_sigma_1;
  int<lower=1> NBgp_sigma_1;
  matrix[N, NBgp_sigma_1] Xgp_sigma_1;
  array[NBgp_sigma_1] vector[Dgp_sigma_1] slambda_sigma_1;
  int prior_only;
}
parameters {
  real Intercept;
  real<lower=0> sdgp_1;
  real<lower=0> lscale_1;
  vector[NBgp_1] zgp_1;
  real Intercept_sigma;
  real<lower=0> sdgp_sigma_1;
  real<lower=0> lscale_sigma_1;
  vector[NBgp_sigma_1] zgp_sigma_1;
}
model {
  Intercept ~ student_t(3, -13, 36);
  sdgp_1 ~ student_t(3, 0, 36);
  lscale_1 ~ inv_gamma(1.124909, 0.0177);
  zgp_1 ~ std_normal();
  Intercept_sigma ~ student_t(3, 0, 10);
  sdgp_sigma_1 ~ student_t(3, 0, 36);
  lscale_sigma_1 ~ inv_gamma(1.124909, 0.0177);
  zgp_sigma_1 ~ std_normal();
  if (prior_only == 0) {
    vector[N] mu = Intercept
                   + Xgp_1 * (basis_weights(slambda_1, sdgp_1, lscale_1) .* zgp_1);
    vector[N] log_sigma = Intercept_sigma
                          + Xgp_sigma_1
                            * (basis_weights(slambda_sigma_1, sdgp_sigma_1, lscale_sigma_1)
                               .* zgp_sigma_1);
    Y ~ normal(mu, exp(log_sigma));
  }
}
