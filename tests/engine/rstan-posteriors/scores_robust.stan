// Test scores of children, with errors of Student's t whose degrees of freedom are a parameter.
data {
  int<lower=0> N;
  vector[N] kid_score;
  vector[N] mom_iq;
  vector[N] mom_hs;
}
transformed data {
  vector[N] z = (mom_iq - mean(mom_iq)) / sd(mom_iq);
}
parameters {
  real alpha;
  vector[2] beta;
  real<lower=0> sigma;
  real<lower=1> nu;
}
model {
  alpha ~ normal(80, 20);
  beta ~ normal(0, 20);
  sigma ~ exponential(0.05);
  nu ~ gamma(2, 0.1);
  kid_score ~ student_t(nu, alpha + beta[1] * mom_hs + beta[2] * z, sigma);
}
