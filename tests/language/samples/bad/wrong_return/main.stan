functions {
  real f(real x) {
    return;
  }
  void g(real x) {
    return x;
  }
  int h(real x) {
    return x;
  }
}
model {
  return;
}
