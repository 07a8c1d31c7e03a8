data {
  vector[3] v;
  int<lower=0.5> n;
  real<lower=v> x;
  array[2] vector<upper=v>[3] fine;
  int<offset=1> m;
}
