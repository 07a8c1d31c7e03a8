paramaters {
  real x;
}
model {
  x ~ normal(0, 1);
}
