data {
  vector[3] v;
  matrix[2, 2] m;
}
transformed data {
  real a = dot_product(v);
  real b = cholesky_decompose(v);
  real c = mean(m, v);
  real d = binomial_lpmf(2.5 | 3, 0.5);
}
