data {
  real n;
  vector[3] v;
}
transformed data {
  for (i in 1:n) print(i);
  for (i in n) print(i);
  while (v) print(v);
  if (v) print(v);
}
