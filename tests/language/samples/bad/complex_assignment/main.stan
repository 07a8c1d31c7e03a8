transformed data {
  complex z = 1 + 2i;
  real x = z;
  vector[2] v = [z, 1]';
  int i = z > 1;
  if (z) {
    print(z);
  }
  x += 1i;
  target += z;
}
