// Length of sea cows by age: growth that levels off.
data {
  int<lower=0> N;
  vector<lower=0>[N] age;
  vector<lower=0>[N] length;
}
parameters {
  real<lower=0> limit;
  real<lower=0> gap;
  real<lower=0.5, upper=1> shrink;
  real<lower=0> sigma;
}
model {
  limit ~ normal(2.5, 1);
  gap ~ normal(1, 1);
  sigma ~ exponential(5);
  for (n in 1:N) {
    length[n] ~ student_t(6, limit - gap * pow(shrink, age[n]), sigma);
  }
}
generated quantities {
  real at_birth = limit - gap;
}
