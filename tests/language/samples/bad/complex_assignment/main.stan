functions {
  real partial(array[] complex x, int from, int to) {
    return 1;
  }
}
transformed data {
  complex z = 1 + 2i;
  real x = z;
  vector[2] v = [z, 1]';
  int i = z > 1;
  if (z) {
    print(z);
  }
  real s = reduce_sum(partial, {z, 1}, 1);
  x += 1i;
  target += z;
}
