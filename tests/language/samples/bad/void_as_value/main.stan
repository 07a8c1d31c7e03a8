functions {
  void say(real x) {
    print(x);
  }
}
transformed data {
  real x = say(1);
  say(2);
}
