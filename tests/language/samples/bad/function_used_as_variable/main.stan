functions {
  real f(real x) {
    return x;
  }
}
transformed data {
  real a = f + 1;
  real b = exp;
  real c = a(1);
}
