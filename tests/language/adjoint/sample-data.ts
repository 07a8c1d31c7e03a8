/** Small data for the sample programs in which the adjoint phase has work to do. */
import type { DataJson } from '../../../src/language/program.ts';

const series = [0.4, -0.9, 1.3, 0.2, -1.8, 0.7, 2.1, -0.3];

export const sampleData: Readonly<Record<string, DataJson>> = {
  arma: { T: 8, y: series },
  complex_everywhere: {
    N: 2,
    shift: [0.5, -1],
    signal: [
      [1, 0.3],
      [-0.7, 2],
    ],
    weights: [
      [1, 0],
      [0, 1],
    ],
    coupling: [
      [
        [1, 0.5],
        [0.2, -0.3],
      ],
      [
        [-0.4, 0.1],
        [0.8, 1],
      ],
    ],
    roots: [
      [1, 1],
      [2, 0],
    ],
    nested: Array.from({ length: 2 }, () =>
      Array.from({ length: 2 }, () => [
        [1, 0],
        [0, 1],
      ]),
    ),
    pair: { 1: [1, 0], 2: 1 },
  },
  eight_schools_noncentered: { J: 3, y: [28, 8, -3], sigma: [15, 10, 16] },
  garch: { T: 8, r: series, sigma1: 0.8 },
  gaussian_process: { N: 3, x: [0, 0.7, 1.9], y: [0.1, 0.6, -0.4], N_new: 1, x_new: [2.5] },
  hmm_forward: { N: 8, K: 3, y: series },
  item_response: { J: 2, K: 3, N: 5, jj: [1, 2, 2, 1, 2], kk: [3, 1, 2, 2, 3], y: [1, 0, 1, 1, 0] },
  latent_dirichlet: {
    K: 2,
    V: 3,
    M: 2,
    N: 6,
    w: [1, 2, 3, 3, 1, 2],
    doc: [1, 1, 1, 2, 2, 2],
    alpha: [0.7, 1.5],
    beta: [1, 2, 0.5],
  },
  latent_gaussian_laplace: {
    N: 4,
    x: [-1, 0.2, 0.9, 1.7],
    y: [2, 0, 3, 5],
    group: [1, 2, 4, 4],
    m: [0.2, -0.1, 0.4, 0],
  },
  logistic_glm_hierarchical: {
    N: 4,
    J: 2,
    K: 2,
    y: [1, 0, 0, 1],
    group: [2, 1, 2, 2],
    x: [
      [1, 0.3],
      [1, -0.7],
      [1, 1.2],
      [1, 0.1],
    ],
  },
  mixture_log_mix: { N: 8, y: series },
  mixture_simplex: { K: 3, N: 8, y: series },
  multilevel_cholesky: {
    N: 4,
    K: 2,
    J: 3,
    L: 2,
    jj: [1, 3, 2, 3],
    x: [
      [1, 0.3],
      [1, -0.7],
      [1, 1.2],
      [1, 0.1],
    ],
    u: [
      [1, 1, 1],
      [0.2, -0.4, 0.9],
    ],
    y: [0.3, -0.2, 1.1, 0.6],
  },
  multinomial_logit: {
    K: 3,
    N: 4,
    D: 2,
    y: [1, 3, 2, 2],
    x: [
      [1, 0.3],
      [1, -0.7],
      [1, 1.2],
      [1, 0.1],
    ],
  },
  ordered_logistic_regression: {
    K: 4,
    N: 4,
    D: 2,
    y: [1, 4, 2, 3],
    x: [
      [1, 0.3],
      [1, -0.7],
      [1, 1.2],
      [1, 0.1],
    ],
  },
  poisson_regression_offset: {
    N: 4,
    counts: [1, 0, 4, 2],
    exposure: [1, 2, 3, 0.5],
    x: [0.3, -0.7, 1.2, 0.1],
  },
  state_space_random_walk: { T: 8, y: series, observed: [1, 0, 1, 1, 1, 0, 1, 1] },
  statements_everywhere: { N: 4, y: [0.5, -0.5, 2, -1] },
  tuples_everywhere: {
    N: 2,
    d: { 1: 1, 2: [0.5, 0.7] },
    pieces: [
      { 1: 1, 2: [0.2, 0.3, 0.5] },
      { 1: 2, 2: [0.6, 0.3, 0.1] },
    ],
  },
  user_functions: {
    N: 3,
    y: [0.2, 0.4, -0.1],
    n: [1, 2, 3],
    m: [
      [1, 2],
      [3, 4],
    ],
  },
};
