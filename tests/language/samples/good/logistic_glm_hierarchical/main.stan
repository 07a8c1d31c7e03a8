data {
  int<lower=0> N, J, K;
  array[N] int<lower=0, upper=1> y;
  array[N] int<lower=1, upper=J> group;
  matrix[N, K] x;
}
parameters {
  real mu_alpha;
  real<lower=0> sigma_alpha;
  vector[J] alpha_raw;
  vector[K] beta;
}
transformed parameters {
  vector[J] alpha = mu_alpha + sigma_alpha * alpha_raw;
}
model {
  mu_alpha ~ student_t(3, 0, 2.5);
  sigma_alpha ~ normal(0, 1);
  alpha_raw ~ std_normal();
  beta ~ normal(0, 1);
  y ~ bernoulli_logit_glm(x, alpha[group], beta);
}
generated quantities {
  array[N] int y_rep = bernoulli_logit_rng(alpha[group] + x * beta);
  real accuracy = 0;
  for (n in 1 : N) accuracy += y_rep[n] == y[n];
  accuracy /= N;
}
