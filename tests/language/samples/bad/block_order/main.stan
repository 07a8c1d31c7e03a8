model {
}
data {
  int N;
}
model {
}
