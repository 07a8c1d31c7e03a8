data {
  int<lower=1> T;
  vector[T] y;
  array[T] int<lower=0, upper=1> observed;
}
parameters {
  real<lower=0> s_obs, s_state;
  vector[T] innovation;
}
transformed parameters {
  vector[T] level = cumulative_sum(innovation * s_state);
}
model {
  s_obs ~ exponential(1);
  s_state ~ exponential(1);
  innovation ~ std_normal();
  for (t in 1:T) {
    if (observed[t]) {
      y[t] ~ normal(level[t], s_obs);
    }
  }
}
generated quantities {
  vector[T - 1] step_sizes = tail(level, T - 1) - head(level, T - 1);
  real largest = max(abs(step_sizes));
  int where = sort_indices_desc(abs(step_sizes))[1];
}
