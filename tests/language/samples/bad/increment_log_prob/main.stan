parameters {
  real x;
}
model {
  increment_log_prob(normal_lpdf(x | 0, 1));
}
