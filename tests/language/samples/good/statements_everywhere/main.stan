data {
  int N;
  vector[N] y;
}
transformed data {
  if (N < 0) fatal_error("N must not be negative, but is ", N);
  profile("setup") {
    int k = 0;
    while (k < N) {
      k += 1;
      if (k == 3) continue;
      if (k > 10) break;
    }
    print("k = ", k);
  }
  ;
}
parameters {
  real mu;
}
model {
  {
    real local = mu;
    target += local;
  }
  target += y - mu;
  for (n in 1:N) if (y[n] > 0) y[n] ~ normal(mu, 1) T[0, 10]; else y[n] ~ normal(mu, 1) T[, 0];
  print("target = ", target());
}
