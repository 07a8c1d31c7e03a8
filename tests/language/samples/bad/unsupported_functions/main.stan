data {
  array[3] real y;
  complex z;
  complex_vector[3] zs;
  matrix[3, 3] m;
}
model {
  target += sum(get_real(fft(y)));
}
