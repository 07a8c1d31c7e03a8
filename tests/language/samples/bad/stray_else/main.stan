model {
  else target += 1;
}
