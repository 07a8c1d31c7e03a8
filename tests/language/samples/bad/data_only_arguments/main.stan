functions {
  real f(data real x, real y) {
    return x + y;
  }
}
parameters {
  real p;
}
model {
  target += f(p, 1);
  target += to_int(p);
}
