// Colours of eyes by colour of hair: a simplex of each row, drawn to what all rows share.
data {
  int<lower=1> R;
  int<lower=2> K;
  array[R, K] int<lower=0> count;
}
parameters {
  simplex[K] shared;
  real<lower=0> concentration;
  array[R] simplex[K] colours;
}
model {
  shared ~ dirichlet(rep_vector(2, K));
  concentration ~ gamma(2, 0.1);
  for (r in 1:R) {
    colours[r] ~ dirichlet(concentration * shared);
    count[r] ~ multinomial(colours[r]);
  }
}
