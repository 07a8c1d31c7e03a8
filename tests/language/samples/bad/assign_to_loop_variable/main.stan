functions {
  void f(real a) {
    a = 1;
  }
}
transformed data {
  for (i in 1:3) i = 2;
}
