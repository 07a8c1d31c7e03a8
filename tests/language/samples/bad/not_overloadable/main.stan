functions {
  real reduce_sum(real x) {
    return x;
  }

  real laplace_marginal_tol_poisson_log_lpmf(int y) {
    return 1.0;
  }

  real part(array[] real x, int start, int end, int a, real b) {
    return a + b;
  }

  real part(array[] real x, int start, int end, real a, int b) {
    return a + b;
  }

  vector job(vector phi, vector theta, data array[] real x_r, data array[] int x_i) {
    return phi;
  }
}
parameters {
  real a;
  matrix[2, 2] m;
  vector[2] v;
}
model {
  target += reduce_sum(part, {1, 2, 3}, 1, 2, 3);
  target += sum(map_rect(job, v, {v}, {{1.0}}, {{a > 2 ? 1 : 2}}));
  target += sum(hmm_hidden_state_prob(m, m, v));
}
