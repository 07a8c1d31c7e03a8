functions {
  real first(tuple(real, real) x) {
    return x.1;
  }
  real only_data(data tuple(real, real) x) {
    return x.1;
  }
  real scale_lpmf(tuple(int, real) x) {
    return 0;
  }
  tuple(int, int) counts(int n) {
    return (n, 1.5);
  }
}
transformed data {
  real a = first((1, 2, 3));
  array[2] tuple(real, real) b = {(1, 2), (3, 4, 5)};
  tuple(real, real) c = 1 ? (1, 2) : (3, 4, 5);
  array[2] tuple(real, int) d = {(1, 2.5), (2, 3)};
  array[3] tuple(int, int) e = rep_array((1, 2), 3);
}
parameters {
  tuple(real, int) p;
  tuple(real, array[2] int) q;
  tuple(real, real) r;
}
model {
  target += only_data(r);
  target += only_data((1, r.1));
  target += r;
  tuple(real<lower=0>, real) local;
}
