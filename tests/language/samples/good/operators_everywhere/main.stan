transformed data {
  int i = 7 %/% 2 + 7 % 2 - -1;
  int q = 7 / 2;
  real x = 2 ^ -1 ^ 2 + 1e-3 .^ 2;
  int b = !(1 < 2) || 3 >= 2 && i != q;
  vector[2] v = [1, 2]';
  matrix[2, 2] m = v * v';
  real s = v' * m * v;
  vector[2] w = m \ v;
  row_vector[2] u = v' / m;
  vector[2] e = v .* v ./ (v + 1) - 2 * v .^ 2;
  matrix[2, 2] p = m' * m ^ 2;
  real c = b ? x : i;
  array[2] real ai = {1, 2};
  v .*= e;
  v /= 2;
  m *= 3;
  i -= 1;
  x += 1;
}
