parameters {
  real x;
}
model {
  target += normal_log(x, 0, 1);
}
