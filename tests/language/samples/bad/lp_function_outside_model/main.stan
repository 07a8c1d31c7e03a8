functions {
  void prior_lp(real x) {
    x ~ normal(0, 1);
  }
}
transformed data {
  prior_lp(1);
}
