functions {
  real draw(real mu) {
    return normal_rng(mu, 1);
  }
}
parameters {
  real x;
}
model {
  x ~ normal(normal_rng(0, 1), 1);
}
