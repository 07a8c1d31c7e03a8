data {
  real größe;
  real x @ y;
  real z = “a”;
}
model {
  real a = 1 − 2;
}
