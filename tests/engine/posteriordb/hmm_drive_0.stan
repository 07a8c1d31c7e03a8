// Two hidden states (walking, driving), two exponential emissions a step; forward algorithm.
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] real u;
  array[N] real v;
  matrix<lower=0>[K, K] alpha;
}
parameters {
  simplex[K] theta1;
  simplex[K] theta2;
  positive_ordered[K] phi;
  positive_ordered[K] lambda;
}
model {
  array[K] vector[K] log_theta = {log(theta1), log(theta2)};
  array[K] real forward;

  theta1 ~ dirichlet(alpha[1]');
  theta2 ~ dirichlet(alpha[2]');
  phi[1] ~ normal(0, 1);
  phi[2] ~ normal(3, 1);
  lambda[1] ~ normal(0, 1);
  lambda[2] ~ normal(3, 1);

  for (t in 1 : N) {
    array[K] real before = forward;
    for (k in 1 : K) {
      real emission = exponential_lpdf(u[t] | phi[k]) + exponential_lpdf(v[t] | lambda[k]);
      if (t == 1) {
        forward[k] = emission;
      } else {
        array[K] real paths;
        for (j in 1 : K) {
          paths[j] = before[j] + log_theta[j][k];
        }
        forward[k] = emission + log_sum_exp(paths);
      }
    }
  }
  target += log_sum_exp(forward);
}
