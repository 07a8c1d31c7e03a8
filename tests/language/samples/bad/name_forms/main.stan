data {
  real a__;
  real b_lupdf;
}
