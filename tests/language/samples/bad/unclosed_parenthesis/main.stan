parameters {
  real x;
}
model {
  x ~ normal(0, (1 + 2);
  x ~ normal(0, 1);
}
