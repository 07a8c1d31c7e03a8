data {
  array[3] real y;
  complex z;
  tuple(int, real) t;
  complex_vector[3] zs;
  matrix[3, 3] m;
}
model {
  target += sum(svd(m));
  m ~ lkj_cov(1, 1, 1);
}
