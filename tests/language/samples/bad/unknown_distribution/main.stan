parameters {
  real x;
}
model {
  x ~ nromal(0, 1);
  x ~ something_else(1);
}
