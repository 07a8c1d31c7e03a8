parameters {
  real x;
}
generated quantities {
  real y = normal_lupdf(x | 0, 1);
}
