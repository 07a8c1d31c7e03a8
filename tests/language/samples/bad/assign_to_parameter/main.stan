parameters {
  real x;
}
transformed parameters {
  real y;
  x = 1;
}
model {
  y = 2;
}
