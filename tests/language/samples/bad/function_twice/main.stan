functions {
  real f(real x) {
    return x;
  }
  real f(real y) {
    return y;
  }
  int f(vector x) {
    return 1;
  }
  real f(vector x);
  real exp(real x) {
    return x;
  }
}
