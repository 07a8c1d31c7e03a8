functions {
  void add(real x) {
    target += x;
  }
}
parameters {
  real x;
}
transformed parameters {
  target += x;
}
generated quantities {
  x ~ normal(0, 1);
}
