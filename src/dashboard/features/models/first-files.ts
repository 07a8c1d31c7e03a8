/** The initial contents of a blank model, by runtime. */
const skeleton = `data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 10);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
`;

const jagsSkeleton = `# Data: N and y[1:N]. The second parameter of dnorm is a precision, 1 / variance.
model {
  for (i in 1:N) {
    y[i] ~ dnorm(mu, tau)
  }
  mu ~ dnorm(0, 1.0E-2)
  tau <- pow(sigma, -2)
  sigma ~ dexp(1)
}
`;

const rSkeleton = `# ergodic_data() and ergodic_settings() are what the run was given.
source(Sys.getenv("ERGODIC_R"))
settings <- ergodic_settings()
run <- ergodic_run()

set.seed(settings$seed)
for (chain in seq_len(settings$num_chains)) {
  for (iteration in seq_len(settings$num_samples)) {
    # Replace this with the sampler of your model.
    ergodic_add(run, list(mu = rnorm(1)), chain)
  }
}
ergodic_finish(run)
`;

const byRuntime: Readonly<Record<string, readonly [name: string, text: string]>> = {
  jags: ['model.jags', jagsSkeleton],
  javascript: ['main.js', '// Write the function here.\n'],
  julia: ['main.jl', '# Write the model here.\n'],
  python: ['main.py', '# Write the model here.\n'],
  r: ['main.R', rSkeleton],
};

/** Name and text of its only file; a Stan program unless the runtime is another. */
export function firstFile(env: string): readonly [name: string, text: string] {
  return byRuntime[env] ?? ['main.stan', skeleton];
}
