parameters {
  real x;
}
model {
  target += normal(x, 0, 1);
}
