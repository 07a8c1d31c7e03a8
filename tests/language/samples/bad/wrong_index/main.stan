data {
  vector[2] v;
}
transformed data {
  real a = v[1.5];
  vector[2] b = v[v];
  vector[2] c = v[1:2.5];
}
