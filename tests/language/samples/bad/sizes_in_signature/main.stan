functions {
  real f(vector[3] x, simplex y, real<lower=0> z, void w) {
    return 1;
  }
}
