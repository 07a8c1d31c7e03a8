data {
  int<lower=0> N;
  real<lower=0, upper=1> theta;
}
generated quantities {
  int n_success = binomial_rng(N, theta);
  real x = student_t_rng(4, 0, 1);
  vector[2] z = multi_normal_rng([0, 0]', identity_matrix(2));
  array[3] real u = to_array_1d(sort_desc([uniform_rng(0, 1), 2, 3]));
  array[2] int counts = multinomial_rng([0.5, 0.5]', 10);
  int is_big = n_success > N %/% 2 && x > 0;
}
