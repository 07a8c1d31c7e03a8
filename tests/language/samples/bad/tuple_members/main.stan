transformed data {
  tuple(real, int) pair = (1.5, 2);
  array[3] tuple(real, real) list;
  real x = 1;
  real a = pair.3;
  real b = x.1;
  real c = list.1;
  real d = pair[1];
  real e = (1, 2).0;
  pair.3 = 1;
  pair += 1;
  pair.2 = 1.5;
  tuple(real,) one = (1,);
  real f = one.2;
}
