data {
  int offset;
  real<lower=0> upper;
  int for;
  real model;
  real true;
}
