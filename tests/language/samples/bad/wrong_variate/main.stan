data {
  array[3] real y;
}
model {
  y ~ poisson(3);
  y ~ normal(0);
}
