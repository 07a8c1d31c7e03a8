functions {
  real foo(real x) {
    return x;
  }
}
data {
  real x;
  int x;
  real foo;
}
model {
  real x;
  for (x in 1:3) print(x);
  for (i in 1:3) {
    real i;
  }
}
