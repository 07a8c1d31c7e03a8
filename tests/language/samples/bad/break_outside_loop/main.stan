model {
  break;
  if (1) continue;
}
