data {
  vector[2] v;
  matrix[2, 2] m;
  real x;
}
transformed data {
  real a = v[1, 2];
  real b = m[1, 2, 3];
  real c = x[1];
}
