// Größe, µ, “quotes” and 数 are welcome here.
data {
  int<lower=0> N; /* and
  here: é */
}
