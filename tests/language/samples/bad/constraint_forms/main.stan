parameters {
  real<low=0> a;
  real<lower=0, lower=1> b;
  real<lower=0, offset=1> c;
  simplex<lower=0>[3] d;
}
