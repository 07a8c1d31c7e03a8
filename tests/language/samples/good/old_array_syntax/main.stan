functions {
  real first(real[] x, int[,] n, vector[] v) {
    return x[n[1, 1]] + v[1][1];
  }
}
data {
  int N;
  real x[N];
  int<lower=0> n[N, 2];
  vector[3] v[N];
}
parameters {
  real<lower=0> s[N], r;
}
model {
  real local[N];
  local = x;
  target += first(local, n, v) + fabs(r);
}
