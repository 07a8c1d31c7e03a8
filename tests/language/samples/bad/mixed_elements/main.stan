data {
  vector[2] v;
}
transformed data {
  array[2] real a = {1, v};
  row_vector[2] r = [v, 1];
  matrix[2, 2] m = [[1, 2], 3];
}
