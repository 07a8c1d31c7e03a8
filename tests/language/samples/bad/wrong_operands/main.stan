data {
  vector[3] v;
  row_vector[3] r;
  array[3] real a;
}
transformed data {
  vector[3] w = v + r;
  array[3] real b = a + a;
  real x = v * v;
  int k = 2.5 %/% 2;
  real y = !v;
}
