transformed data {
  int a = 3000000000;
  int b = 1_000_;
  real c = 2x;
}
