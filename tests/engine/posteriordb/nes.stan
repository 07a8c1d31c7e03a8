// Party identification in the American National Election Studies, age a factor of four levels.
data {
  int<lower=0> N;
  vector[N] partyid7;
  vector[N] real_ideo;
  vector[N] race_adj;
  array[N] int<lower=1, upper=4> age_discrete;
  vector[N] educ1;
  vector[N] gender;
  vector[N] income;
}
transformed data {
  matrix[N, 9] X = rep_matrix(0, N, 9);
  X[ : , 1] = rep_vector(1, N);
  X[ : , 2] = real_ideo;
  X[ : , 3] = race_adj;
  for (n in 1 : N) {
    if (age_discrete[n] > 1) {
      X[n, 2 + age_discrete[n]] = 1;
    }
  }
  X[ : , 7] = educ1;
  X[ : , 8] = gender;
  X[ : , 9] = income;
}
parameters {
  vector[9] beta;
  real<lower=0> sigma;
}
model {
  partyid7 ~ normal(X * beta, sigma);
}
