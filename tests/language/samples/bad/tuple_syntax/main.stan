transformed data {
  tuple(real) one = (1,);
  tuple() none;
  tuple(real, int,) two;
  real x = ();
  real y = (1, 2;
}
