transformed data {
  int n = 2.5;
  int m;
  m = 1e3;
}
