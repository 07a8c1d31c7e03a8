import type { GalleryModel } from '../gallery-model.ts';

const program = `// Poisson counts with a Gaussian process on the log rate.
data {
  int<lower=1> N;
  array[N] real x;
  array[N] int<lower=0> k;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  vector[N] f_tilde;
}
transformed parameters {
  vector[N] f;
  {
    matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
    for (n in 1:N) {
      K[n, n] += 1e-10;
    }
    f = cholesky_decompose(K) * f_tilde;
  }
}
model {
  rho ~ gamma(25, 4);
  alpha ~ normal(0, 2);
  f_tilde ~ std_normal();
  k ~ poisson_log(f);
}
`;

const data = `{
  "N": 11,
  "x": [-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10],
  "k": [40, 37, 29, 12, 4, 3, 9, 19, 77, 82, 33]
}
`;

/** Gaussian process. */
export const gaussianProcess: GalleryModel = {
  slug: 'gaussian-process',
  name: 'Gaussian process',
  summary:
    'Counts along a line whose log rate is a smooth unknown function.',
  origin:
    'Simulated. File from posteriordb (BSD 3-Clause, see LICENCE-posteriordb.txt).',
  entranceFile: 'gaussian-process.stan',
  files: { 'gaussian-process.stan': program },
  data: { name: 'Counts along a line', json: data },
};
