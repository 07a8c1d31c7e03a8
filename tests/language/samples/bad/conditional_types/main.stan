data {
  vector[2] v;
}
transformed data {
  real x = 1 ? v : 2;
  real y = v ? 1 : 2;
}
