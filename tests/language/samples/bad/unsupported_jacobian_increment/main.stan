parameters {
  real x;
}
transformed parameters {
  jacobian += x;
}
