data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] x;
  vector[N] y;
}
transformed data {
  vector[K] x_mean;
  matrix[N, K] x_centred;
  for (k in 1:K) {
    x_mean[k] = mean(x[ : , k]);
    x_centred[ : , k] = x[ : , k] - x_mean[k];
  }
}
parameters {
  real alpha;
  vector[K] beta;
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(alpha | 0, 10);
  target += normal_lpdf(beta | 0, 2.5);
  target += exponential_lpdf(sigma | 1);
  y ~ normal_id_glm(x_centred, alpha, beta, sigma);
}
generated quantities {
  real intercept = alpha - dot_product(x_mean, beta);
  vector[N] residual = y - (alpha + x_centred * beta);
  real r_squared = 1 - variance(residual) / variance(y);
}
