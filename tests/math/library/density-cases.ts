/** Arguments on which the tests try every density and cumulative function: one domain per argument. */
import {
  between,
  correlation,
  correlationFactor,
  count,
  type Domain,
  increasing,
  integer,
  lowerTriangular,
  positive,
  positiveDefinite,
  real,
  simplex,
  square,
  unit,
} from '../support/domains.ts';

const bit = integer(0, 1);
const trials = integer(6, 9);
const interior = between(0.15, 0.85);

/** Densities whose operands may each be scalar or container. */
export const vectorised: Readonly<Record<string, readonly Domain[]>> = {
  normal: [real, real, positive],
  std_normal: [real],
  cauchy: [real, real, positive],
  student_t: [real, positive, real, positive],
  double_exponential: [between(1, 2), between(-1, 0.5), positive],
  logistic: [real, real, positive],
  gumbel: [real, between(-1, 1), between(1, 3)],
  skew_normal: [real, between(-0.5, 0.5), between(1, 3), real],
  exp_mod_normal: [between(0, 3), between(-1, 1), positive, between(0.3, 1.5)],
  skew_double_exponential: [between(1, 2), between(-1, 0.5), positive, interior],
  lognormal: [positive, real, positive],
  exponential: [positive, positive],
  gamma: [positive, positive, positive],
  inv_gamma: [positive, positive, positive],
  chi_square: [positive, positive],
  inv_chi_square: [positive, positive],
  scaled_inv_chi_square: [positive, positive, positive],
  weibull: [positive, positive, positive],
  frechet: [positive, positive, positive],
  rayleigh: [positive, positive],
  loglogistic: [positive, positive, positive],
  pareto: [between(2, 4), between(0.5, 1.5), positive],
  wiener: [between(0.8, 2), between(0.8, 2), between(0.1, 0.4), interior, between(-2, 2)],
  pareto_type_2: [between(2, 4), between(-1, 1), positive, positive],
  beta: [interior, positive, positive],
  beta_proportion: [interior, interior, positive],
  uniform: [between(0, 1), between(-2, -1), between(2, 3)],
  von_mises: [between(-1.2, 1.2), between(-1, 1), positive],
  bernoulli: [bit, unit],
  bernoulli_logit: [bit, real],
  binomial: [count, trials, unit],
  binomial_logit: [count, trials, real],
  beta_binomial: [count, trials, positive, positive],
  hypergeometric: [integer(1, 3), integer(3, 5), integer(4, 8), integer(5, 9)],
  discrete_range: [integer(1, 4), integer(-1, 0), integer(5, 7)],
  poisson: [count, positive],
  poisson_log: [count, real],
  neg_binomial: [count, positive, positive],
  neg_binomial_2: [count, positive, positive],
  neg_binomial_2_log: [count, real, positive],
  beta_neg_binomial: [count, positive, positive, positive],
  yule_simon: [integer(1, 6), positive],
};

/** Domains for the tails if the density's would reach the end of the support, where the logarithm is −∞. */
export const tails: Readonly<Record<string, readonly Domain[]>> = {
  bernoulli: [integer(0, 0), unit],
  binomial: [integer(0, 5), trials, unit],
  beta_binomial: [integer(0, 5), trials, positive, positive],
};

const category = integer(1, 3);

/** Densities of vectors and matrices: domains, and the kinds to try with data and active letters. */
export const structured: Readonly<
  Record<string, { domains: readonly Domain[]; kinds: readonly string[] }>
> = {
  categorical: { domains: [category, simplex], kinds: ['iV', 'IV', 'IR'] },
  categorical_logit: { domains: [category, real], kinds: ['iV', 'IV', 'IR'] },
  multinomial: { domains: [count, simplex], kinds: ['IV', 'IR'] },
  multinomial_logit: { domains: [count, real], kinds: ['IV', 'IR'] },
  dirichlet_multinomial: { domains: [count, positive], kinds: ['IV', 'IR'] },
  dirichlet: {
    domains: [simplex, positive],
    kinds: ['VR', 'RV', 'VV', '[VV', 'V[V', '[V[V', '[RV', 'RR', '[RR'],
  },
  ordered_logistic: {
    domains: [integer(1, 4), real, increasing],
    kinds: ['ivV', 'IvV', 'IVV', 'IRV', 'IVR', 'irR'],
  },
  ordered_probit: {
    domains: [integer(1, 4), real, increasing],
    kinds: ['ivV', 'IvV', 'IVV', 'IRV', 'IVR', 'irR'],
  },
  multi_normal: {
    domains: [real, real, positiveDefinite],
    kinds: ['VRM', 'RVM', 'RRW', 'VVW', '[VVW', '[RVW', 'R[VW', '[V[VW', 'RRM', '[RRM'],
  },
  multi_normal_prec: {
    domains: [real, real, positiveDefinite],
    kinds: ['VRM', 'RVM', 'RRW', 'VVW', '[VVW', '[RVW', 'RRM'],
  },
  multi_normal_cholesky: {
    domains: [real, real, lowerTriangular],
    kinds: ['VRM', 'RVM', 'RRW', 'VVW', '[VVW', '[RVW', 'RRM'],
  },
  multi_student_t: {
    domains: [real, positive, real, positiveDefinite],
    kinds: ['VvVW', '[VvVW', 'RvRM', 'RrRW', 'RrRM'],
  },
  multi_student_t_cholesky: {
    domains: [real, positive, real, lowerTriangular],
    kinds: ['VvVW', '[VvVW', 'RvRM', 'RrRW', 'RrRM'],
  },
  multi_gp: { domains: [real, positiveDefinite, positive], kinds: ['WWV', 'MWR', 'MMV', 'MMR'] },
  multi_gp_cholesky: {
    domains: [real, lowerTriangular, positive],
    kinds: ['WWV', 'MWR', 'MMV', 'MMR'],
  },
  lkj_corr: { domains: [correlation, positive], kinds: ['Wv', 'Wr', 'Mv', 'Mr'] },
  lkj_cov: {
    domains: [positiveDefinite, real, positive, positive],
    kinds: ['WVVv', 'WRRr', 'MVRr', 'MRVr', 'MRRv', 'MRRr'],
  },
  lkj_corr_cholesky: { domains: [correlationFactor, positive], kinds: ['Wv', 'Wr', 'Mv', 'Mr'] },
  wishart: {
    domains: [positiveDefinite, between(4, 7), positiveDefinite],
    kinds: ['WvW', 'Wrm', 'MvM', 'MrW', 'MrM'].map((k) => k.replace('m', 'M')),
  },
  inv_wishart: {
    domains: [positiveDefinite, between(4, 7), positiveDefinite],
    kinds: ['WvW', 'WrM', 'MvM', 'MrW', 'MrM'],
  },
  wishart_cholesky: {
    domains: [lowerTriangular, between(4, 7), lowerTriangular],
    kinds: ['WvW', 'WrM', 'MvM', 'MrW', 'MrM'],
  },
  inv_wishart_cholesky: {
    domains: [lowerTriangular, between(4, 7), lowerTriangular],
    kinds: ['WvW', 'WrM', 'MvM', 'MrW', 'MrM'],
  },
  normal_id_glm: {
    domains: [real, square, real, real, positive],
    kinds: ['RMvVv', 'RMVVV', 'VWVVV', 'RRvVv', 'RVvVv', 'rMvVv', 'RMrRr'],
  },
  bernoulli_logit_glm: {
    domains: [bit, square, real, real],
    kinds: ['IMvV', 'IMVV', 'IWVV', 'IRvV', 'IVvV', 'iMvV', 'IMrR'],
  },
  binomial_logit_glm: {
    domains: [count, trials, square, real, real],
    kinds: ['IIMvV', 'IIMVV', 'IIWVV', 'IIRvV', 'iIMvV', 'IiMvV', 'IIMrR'],
  },
  poisson_log_glm: {
    domains: [count, square, real, real],
    kinds: ['IMvV', 'IMVV', 'IWVV', 'IRvV', 'IVvV', 'iMvV', 'IMrR'],
  },
  neg_binomial_2_log_glm: {
    domains: [count, square, real, real, positive],
    kinds: ['IMvVv', 'IMVVV', 'IWVVV', 'IRvVv', 'iMvVv', 'IMrRr'],
  },
  categorical_logit_glm: {
    domains: [category, square, real, square],
    kinds: ['IMVW', 'IWVW', 'IRVW', 'IVVW', 'iMVW', 'IMRM'],
  },
  ordered_logistic_glm: {
    domains: [integer(1, 4), square, real, increasing],
    kinds: ['IMVV', 'IWVV', 'IRVV', 'IVVV', 'iMVV', 'IMRR'],
  },
};
