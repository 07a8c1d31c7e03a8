data {
  vector v;
  matrix[3] m;
  simplex[2, 2] s;
  real[3] x;
}
