model {
  target = 3;
}
