functions {
  int log10(int x) {
    return 1;
  }
  real twice(real x) {
    return target() + x;
  }
}
transformed parameters {
  real so_far = target();
}
generated quantities {
  array[2] int x = {1, 2};
  x[x[1]] = 2;
  x[{1, x[2]}] = {3, 4};
  x[x[1]] += 1;
  x[1] = x[2];
  real a = 1;
  a ./= 2;
  a .*= 2;
  vector[2] v = [1, 2]';
  v ./= 2;
  real b = target();
}
