functions {
  vector right(real t, vector y, real a) {
    return -a * y;
  }
  real wrong(real t) {
    return t;
  }
}
data {
  array[3] real ts;
}
parameters {
  real a;
}
transformed parameters {
  array[3] vector[1] y1 = ode_rk45(right, [1]', 0, ts, a);
  array[3] vector[1] y2 = ode_rk45(right, [1]', 0, ts, a, a);
  array[3] vector[1] y3 = ode_rk45(wrong, [1]', 0, ts);
  array[3] vector[1] y4 = ode_bdf(exp(1), [1]', 0, ts);
}
