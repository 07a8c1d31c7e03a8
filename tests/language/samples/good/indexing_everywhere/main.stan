data {
  int N;
  array[N] int idx;
  array[3, 4] matrix[5, 6] a;
  matrix[5, 6] m;
  vector[N] v;
}
transformed data {
  real s = a[1, 2, 3, 4] + a[1][2][3][4] + a[1, 2][3, 4];
  row_vector[6] r = m[2];
  vector[5] c = m[ : , 2];
  vector[N] w = v[idx];
  matrix[2, 6] rows12 = m[1:2];
  matrix[5, 2] cols12 = m[, 1:2];
  matrix[2, 2] corner = m[{1, 3}, 2:3];
  array[3] matrix[5, 6] b = a[ : , 1];
  array[4] row_vector[6] d = a[2, : , 3];
  vector[2] tail_part = c[4:];
  vector[2] head_part = c[:2];
  vector[5] all = c[];
  array[2, 3] real lit = {{1, 2, 3}, {4, 5, 6}};
  matrix[2, 2] mlit = [[1, 2], [3, 4]];
  row_vector[3] rlit = [1, 2, 3];
  w[idx] = v;
  corner[1, : ] = [1, 2];
  corner[ : , 2] += 1;
  for (x in lit[1]) print(x);
  for (row in lit) print(row);
  for (e in mlit) print(e);
}
