functions {
  void standardise_lp(real r) {
    target += std_normal_lpdf(r);
  }
}
parameters {
  real y;
}
transformed parameters {
  standardise_lp(y);
}
model {
  standardise_lp(2 * y);
}
