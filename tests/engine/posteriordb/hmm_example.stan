// Two hidden states with normal emissions of unit scale; forward algorithm.
data {
  int<lower=0> N;
  int<lower=0> K;
  array[N] real y;
}
parameters {
  simplex[K] theta1;
  simplex[K] theta2;
  positive_ordered[K] mu;
}
transformed parameters {
  array[K] simplex[K] theta = {theta1, theta2};
}
model {
  array[N, K] real forward;
  mu[1] ~ normal(3, 1);
  mu[2] ~ normal(10, 1);
  for (t in 1 : N) {
    for (k in 1 : K) {
      forward[t, k] = normal_lpdf(y[t] | mu[k], 1);
      if (t > 1) {
        array[K] real paths;
        for (j in 1 : K) {
          paths[j] = forward[t - 1, j] + log(theta[j, k]);
        }
        forward[t, k] += log_sum_exp(paths);
      }
    }
  }
  target += log_sum_exp(forward[N]);
}
generated quantities {
  // the most probable path of states (Viterbi)
  array[N] int<lower=1, upper=K> state;
  {
    array[N, K] int origin;
    array[N, K] real best = rep_array(negative_infinity(), N, K);
    for (k in 1 : K) {
      best[1, k] = normal_lpdf(y[1] | mu[k], 1);
    }
    for (t in 2 : N) {
      for (k in 1 : K) {
        for (j in 1 : K) {
          real candidate = best[t - 1, j] + log(theta[j, k]) + normal_lpdf(y[t] | mu[k], 1);
          if (candidate > best[t, k]) {
            best[t, k] = candidate;
            origin[t, k] = j;
          }
        }
      }
    }
    state[N] = best[N, 1] > best[N, 2] ? 1 : 2;
    for (back in 1 : N - 1) {
      int t = N - back;
      state[t] = origin[t + 1, state[t + 1]];
    }
  }
}
