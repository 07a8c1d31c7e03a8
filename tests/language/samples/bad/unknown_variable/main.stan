data {
  real theta_tilde;
}
model {
  theta_tild ~ normal(0, 1);
}
