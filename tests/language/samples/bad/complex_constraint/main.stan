parameters {
  complex<lower=0> z;
  array[2] complex_vector<offset=1>[3] v;
}
