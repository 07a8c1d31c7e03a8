data {
  real x;
  array[2] real y;
}
transformed data {
  x = 1;
  y[1] = 2;
}
