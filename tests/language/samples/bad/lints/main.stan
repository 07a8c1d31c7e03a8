data {
  int a, b;
  matrix[2, 2] m;
  array[2] vector[2] x;
}
transformed data {
  real r = a / b;
  int between = 0 < a < 10;
  matrix[2, 2] p = m ^ 2;
  real old = fabs(-1.5) + multiply_log(2, 3);
  real broken = unknown_one;
}
