data {
  int N;
model {
  target += 1;
}
