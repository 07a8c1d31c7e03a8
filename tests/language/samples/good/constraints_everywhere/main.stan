data {
  int<lower=1, upper=10> K;
  real a;
  vector[K] lb;
}
parameters {
  real<lower=a> x1;
  real<upper=x1 + 1> x2;
  real<offset=a, multiplier=2 * 3> x3;
  vector<lower=lb>[K] x4;
  vector<lower=lb, upper=lb + exp(x1)>[K] x5;
  matrix<lower=0, upper=1>[K, 2] x6;
  row_vector<multiplier=2>[K] x7;
  ordered[K] x8;
  positive_ordered[K] x9;
  simplex[K] x10;
  unit_vector[K] x11;
  cholesky_factor_cov[K] x12;
  cholesky_factor_cov[K + 1, K] x13;
  cholesky_factor_corr[K] x14;
  cov_matrix[K] x15;
  corr_matrix[K] x16;
  sum_to_zero_vector[K] x17;
  column_stochastic_matrix[K, 2] x18;
  row_stochastic_matrix[K, 2] x19;
  array[2, 3] simplex[K] x20;
  array[2] vector<lower=0>[K] x21;
  sum_to_zero_matrix[K, K + 1] x22;
}
model {
  x15 ~ wishart(K, identity_matrix(K));
  x16 ~ lkj_corr(2);
}
