functions {
  real f(real x) {
    if (x > 0) return x;
  }
  real g(real x) {
    if (x > 0) {
      return x;
    } else {
      print(x);
    }
  }
}
