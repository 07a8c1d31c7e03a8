model {
  print("no end);
}
/* no end
