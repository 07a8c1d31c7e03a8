data {
  intt N;
  vektor[N] x;
}
model {
  rael y = 3;
  simplx<lower=0>[3] z;
}
