functions {
  real f(real x, int y) {
    return x;
  }
  real f(int x, real y) {
    return y;
  }
}
transformed data {
  real x = f(1, 2);
}
