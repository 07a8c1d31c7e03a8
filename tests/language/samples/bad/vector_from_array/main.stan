data {
  array[3] real a;
}
transformed data {
  vector[3] v = a;
  row_vector[3] r = v;
  array[3] int i = a;
}
