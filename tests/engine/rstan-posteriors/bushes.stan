// Logarithms of four measures of bushes: a normal distribution with an LKJ prior of its correlations.
data {
  int<lower=0> N;
  vector<lower=0>[N] diam1;
  vector<lower=0>[N] diam2;
  vector<lower=0>[N] total_height;
  vector<lower=0>[N] weight;
}
transformed data {
  array[N] vector[4] y;
  for (n in 1:N) {
    y[n] = log([diam1[n], diam2[n], total_height[n], weight[n]]');
  }
}
parameters {
  vector[4] mu;
  vector<lower=0>[4] sigma;
  cholesky_factor_corr[4] L;
}
model {
  mu ~ normal(0, 5);
  sigma ~ cauchy(0, 1);
  L ~ lkj_corr_cholesky(2);
  y ~ multi_normal_cholesky(mu, diag_pre_multiply(sigma, L));
}
generated quantities {
  matrix[4, 4] correlation = multiply_lower_tri_self_transpose(L);
}
