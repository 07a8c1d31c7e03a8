parameters {
  real x;
}
model {
  x ~ normal_lpdf(0, 1);
  x ~ normal_lcdf(0, 1);
}
