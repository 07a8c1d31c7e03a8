functions {
  real shifted_log(real y, real by) {
    return -square(y - by);
  }
  real counted_log(int n, real by) {
    return -n * by;
  }
}
data {
  int n;
}
parameters {
  real x;
}
model {
  x ~ shifted(1);
  n ~ counted(x);
}
