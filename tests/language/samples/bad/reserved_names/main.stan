data {
  int for;
  real model;
  real true;
}
