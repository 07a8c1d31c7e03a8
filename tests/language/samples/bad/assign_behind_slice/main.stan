data {
  vector[3] v;
}
transformed data {
  vector[3] w;
  w[1:2][1] = 5;
}
