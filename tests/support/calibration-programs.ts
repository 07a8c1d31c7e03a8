/** Programs whose calibration is known: four that are right, and four with the faults that calibration should find. */

export interface CalibratedProgram {
  readonly source: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const normalData = { N: 8, y: [1.2, 0.3, -0.4, 2.2, 1.9, 0.8, 0.1, 1.4], prior_only: 0 };

const normalMean = (replicatedSd: string): string => `
data {
  int<lower=0> N;
  vector[N] y;
  int<lower=0, upper=1> prior_only;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 2);
  sigma ~ lognormal(0, 0.5);
  if (prior_only == 0) y ~ normal(mu, sigma);
}
generated quantities {
  array[N] real y_rep = normal_rng(rep_vector(mu, N), ${replicatedSd});
}
`;

const betaBinomial: CalibratedProgram = {
  data: {},
  source: `
transformed data {
  int N = 20;
  real theta_ = beta_rng(2, 3);
  int y = binomial_rng(N, theta_);
}
parameters {
  real<lower=0, upper=1> theta;
}
model {
  theta ~ beta(2, 3);
  y ~ binomial(N, theta);
}
generated quantities {
  real theta_sim = theta_;
}
`,
};

const eightSchools: CalibratedProgram = {
  data: {
    J: 8,
    y: [28, 8, -3, 7, -1, 1, 18, 12],
    sigma: [15, 10, 16, 11, 9, 11, 10, 18],
    prior_only: 0,
  },
  source: `
data {
  int<lower=0> J;
  vector[J] y;
  vector<lower=0>[J] sigma;
  int<lower=0, upper=1> prior_only;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta_tilde;
}
transformed parameters {
  vector[J] theta = mu + tau * theta_tilde;
}
model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 5);
  theta_tilde ~ std_normal();
  if (prior_only == 0) y ~ normal(theta, sigma);
}
generated quantities {
  array[J] real y_rep = normal_rng(theta, sigma);
}
`,
};

const poisson = (slope: string): CalibratedProgram => ({
  data: { N: 10, x: [-1.5, -1.2, -0.9, -0.5, -0.2, 0.1, 0.4, 0.8, 1.2, 1.6] },
  source: `
data {
  int<lower=0> N;
  vector[N] x;
}
transformed data {
  real alpha_sim = normal_rng(1, 0.5);
  real beta_sim = normal_rng(0.3, 0.3);
  array[N] int y = poisson_log_rng(alpha_sim + beta_sim * x);
}
parameters {
  real alpha;
  real beta;
}
model {
  alpha ~ normal(1, 0.5);
  beta ~ normal(0.3, 0.3);
  y ~ poisson_log(alpha ${slope} beta * x);
}
generated quantities {
  array[2] int<lower=0, upper=1> lt_sim = {alpha < alpha_sim, beta < beta_sim};
}
`,
});

export const rightPrograms: Readonly<Record<string, CalibratedProgram>> = {
  'normal with unknown mean and scale': { source: normalMean('sigma'), data: normalData },
  'beta-binomial': betaBinomial,
  'eight schools, non-centred': eightSchools,
  'Poisson regression': poisson('+'),
};

const tightPrior: CalibratedProgram = {
  data: {},
  source: `
transformed data {
  int N = 5;
  real mu_ = normal_rng(0, 2);
  array[N] real y;
  for (n in 1:N) y[n] = normal_rng(mu_, 2);
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 0.5);
  y ~ normal(mu, 2);
}
generated quantities {
  real mu_sim = mu_;
}
`,
};

const missingJacobian: CalibratedProgram = {
  data: {},
  source: `
transformed data {
  int N = 3;
  real sigma_ = lognormal_rng(0, 1);
  array[N] real y;
  for (n in 1:N) y[n] = normal_rng(0, sigma_);
}
parameters {
  real log_sigma;
}
transformed parameters {
  real sigma = exp(log_sigma);
}
model {
  sigma ~ lognormal(0, 1);
  y ~ normal(0, sigma);
}
generated quantities {
  real sigma_sim = sigma_;
}
`,
};

/** With the quantity at fault and what the verdict says about it. */
export const wrongPrograms: Readonly<
  Record<string, CalibratedProgram & { readonly says: RegExp }>
> = {
  'a prior narrower than that of the true values': {
    ...tightPrior,
    says: /^Posterior too narrow for mu/,
  },
  'a transformation without its Jacobian': {
    ...missingJacobian,
    says: /^Posterior too low for sigma/,
  },
  'a likelihood with half the scale of the data': {
    source: normalMean('2 * sigma'),
    data: normalData,
    says: /^Posterior too high for sigma/,
  },
  'a slope with the wrong sign': { ...poisson('-'), says: /^Posterior too low for lt_sim\[2\]/ },
};
