data {
  int n;
}
transformed data {
  int x;
  real y;
  array[3] int list;
  tuple(int, tuple(int, real)) t;
  (x, y) = (1, 2, 3);
  (x, y) = 4;
  (x, y) = (1.5, 2);
  (x, (x, y)) = (1, (2, 3));
  (list[1], list[2:]) = (1, {2, 3});
  (t, t.2.1) = ((1, (2, 3)), 1);
  (x, list[x]) = (1, 2);
  (n, y) = (1, 2);
  (x, y) += (1, 2);
  (x, y + 1) = (1, 2);
  (x, (y, x)) = (1, 2);
}
