model {
  target <- normal_lpdf(1 | 0, 1);
}
