transformed data {
  real x = "text";
}
