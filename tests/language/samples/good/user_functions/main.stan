functions {
  // Known before it is defined.
  real helper(real x);
  real wrapped_lpdf(vector y, real mu, real sigma) {
    return normal_lupdf(y | mu, sigma);
  }
  real count_lpmf(int n, real lambda) {
    return n * log(lambda) - lambda - lgamma(n + 1);
  }
  real count_lcdf(int n, real lambda) {
    real total = 0;
    for (i in 0:n) total += exp(count_lpmf(i | lambda));
    return log(total);
  }
  real count_lccdf(int n, real lambda) {
    return log1m_exp(count_lcdf(n | lambda));
  }
  int count_rng(real lambda) {
    return poisson_rng(lambda);
  }
  void add_prior_lp(real x) {
    target += -0.5 * square(x);
    x ~ normal(0, 1);
  }
  real helper(real x) {
    if (x > 0) {
      return x;
    } else if (x < -1) {
      reject("too small: ", x);
    } else {
      return helper(-x);
    }
  }
  array[,] int table(data matrix m, int n) {
    array[n, n] int out = rep_array(0, n, n);
    while (1) {
      if (num_elements(m) > n) break;
      else continue;
    }
    return out;
  }
  real twice(real x) {
    return 2 * x;
  }
  vector twice(vector x) {
    return 2 * x;
  }
}
data {
  int N;
  vector[N] y;
  array[N] int n;
  matrix[2, 2] m;
}
transformed data {
  array[3, 3] int t = table(m, 3);
  int drawn = count_rng(3.5);
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  add_prior_lp(mu);
  y ~ wrapped(helper(mu), twice(sigma));
  twice(y) ~ wrapped(mu, sigma);
  for (i in 1:N) n[i] ~ count(sigma) T[1, ];
  target += wrapped_lupdf(y | mu, sigma);
}
generated quantities {
  int fresh = count_rng(sigma);
  print("drawn ", drawn, " and ", fresh, t);
}
