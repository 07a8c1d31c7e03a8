data {
  int N;
  N = 3;
  real x = 5;
}
parameters {
  real y = 1;
}
