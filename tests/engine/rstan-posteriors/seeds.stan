// Germination of seeds on plates that differ: a binomial regression with an effect of each plate.
data {
  int<lower=0> N;
  array[N] int<lower=0> germinated;
  array[N] int<lower=0> sown;
  vector[N] variety;
  vector[N] extract;
}
parameters {
  real alpha;
  real b_variety;
  real b_extract;
  real b_both;
  real<lower=0> tau;
  vector[N] plate;
}
model {
  alpha ~ normal(0, 2);
  b_variety ~ normal(0, 2);
  b_extract ~ normal(0, 2);
  b_both ~ normal(0, 2);
  tau ~ student_t(4, 0, 0.5);
  plate ~ std_normal();
  germinated ~ binomial_logit(sown, alpha + b_variety * variety + b_extract * extract
                                    + b_both * (variety .* extract) + tau * plate);
}
