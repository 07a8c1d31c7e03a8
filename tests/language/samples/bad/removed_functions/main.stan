data {
  int n;
  int k;
}
parameters {
  real x;
}
model {
  target += if_else(x > 0, x, -x);
  target += binomial_coefficient_log(n, k);
  target += normal_cdf_log(x, 0, 1) + normal_ccdf_log(x, 0, 1);
}
