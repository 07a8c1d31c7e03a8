functions {
  int a_lpdf(real x) {
    return 1;
  }
  real b_lpdf(int x) {
    return 1;
  }
  real c_lpmf(real x) {
    return 1;
  }
  real d_lupdf(real x) {
    return 1;
  }
}
