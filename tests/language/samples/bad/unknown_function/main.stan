parameters {
  real x;
}
model {
  target += norml_lpdf(x | 0, 1) + foo(x);
}
