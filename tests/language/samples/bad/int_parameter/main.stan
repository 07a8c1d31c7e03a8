parameters {
  int n;
  array[3] int m;
}
transformed parameters {
  int k = 1;
}
