// Regression of log price on centred predictors.
data {
  int<lower=1> N;
  vector[N] Y;
  int<lower=1> K;
  matrix[N, K] X;
  int prior_only;
}
transformed data {
  int Kc = K - 1;
  matrix[N, Kc] centred;
  for (k in 1 : Kc) {
    centred[ : , k] = X[ : , k + 1] - mean(X[ : , k + 1]);
  }
}
parameters {
  vector[Kc] b;
  real Intercept;
  real<lower=0> sigma;
}
model {
  b ~ std_normal();
  Intercept ~ student_t(3, 8, 10);
  sigma ~ student_t(3, 0, 10);
  if (prior_only == 0) {
    Y ~ normal_id_glm(centred, Intercept, b, sigma);
  }
}
