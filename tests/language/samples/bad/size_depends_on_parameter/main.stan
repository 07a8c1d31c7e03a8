data {
  int N;
}
transformed data {
  int M = N + 1;
}
parameters {
  real x;
  vector[M] y;
}
generated quantities {
  int k = poisson_rng(exp(x));
  vector[k] z;
  array[poisson_rng(3)] real w;
  {
    vector[k] fine;
  }
}
