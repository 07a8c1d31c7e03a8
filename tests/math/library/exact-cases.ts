/** Arguments on which the tests try every exact function: one domain per argument (the last repeats). */
import {
  between,
  type Domain,
  integer,
  lowerTriangular,
  positive,
  positiveDefinite,
  real,
  simplex,
  square,
  unit,
} from '../support/domains.ts';

const interior = between(-0.9, 0.9);
const negative = between(-3, -0.2);
/** Away from integers and halves, where floor, ceil and round jump. */
const offGrid: Domain = {
  numbers: (rng, n) =>
    Array.from({ length: n }, () => Math.floor(6 * rng.uniform() - 3) + 0.1 + 0.3 * rng.uniform()),
};
/** Away from zero. */
const nonZero: Domain = {
  numbers: (rng, n) =>
    Array.from({ length: n }, () => (rng.uniform() < 0.5 ? -1 : 1) * (0.3 + 2 * rng.uniform())),
};
/** Values far enough apart that a small step does not change their order. */
const distinct: Domain = {
  numbers(rng, n) {
    const x = Array.from({ length: n }, (_, i) => i + 0.5 * rng.uniform() - 1);
    return x.map((_, i) => x[(i * 2) % n === 0 && i > 0 ? i : (i * 2) % n]);
  },
  matrix(rng, n) {
    return Array.from({ length: n * n }, (_, i) => ((i * 5) % 9) * 0.7 - 2 + 0.3 * rng.uniform());
  },
};
const order = integer(0, 3);
const small = integer(1, 4);

export const elementwise: Readonly<Record<string, readonly Domain[]>> = {
  exp: [real],
  exp2: [real],
  expm1: [real],
  log: [positive],
  log2: [positive],
  log10: [positive],
  log1p: [positive],
  log1m: [interior],
  sqrt: [positive],
  cbrt: [nonZero],
  square: [real],
  inv: [nonZero],
  inv_sqrt: [positive],
  inv_square: [nonZero],
  logit: [unit],
  inv_logit: [real],
  log_inv_logit: [real],
  log1m_inv_logit: [real],
  log1p_exp: [real],
  log1m_exp: [negative],
  inv_cloglog: [real],
  Phi: [real],
  Phi_approx: [real],
  inv_Phi: [unit],
  std_normal_qf: [unit],
  std_normal_log_qf: [negative],
  erf: [real],
  erfc: [real],
  inv_erfc: [between(0.2, 1.8)],
  lgamma: [positive],
  tgamma: [positive],
  digamma: [positive],
  trigamma: [positive],
  lambert_w0: [positive],
  lambert_wm1: [between(-0.35, -0.05)],
  sin: [real],
  cos: [real],
  tan: [between(-1.2, 1.2)],
  asin: [interior],
  acos: [interior],
  atan: [real],
  sinh: [real],
  cosh: [real],
  tanh: [real],
  asinh: [real],
  acosh: [between(1.2, 4)],
  atanh: [interior],
  abs: [nonZero],
  fabs: [nonZero],
  floor: [offGrid],
  ceil: [offGrid],
  round: [offGrid],
  trunc: [offGrid],
  step: [nonZero],
  int_step: [nonZero],
  is_inf: [real],
  is_nan: [real],
  fmin: [between(0, 1), between(1.5, 2)],
  fmax: [between(0, 1), between(1.5, 2)],
  fmod: [between(3.1, 3.5), between(1.2, 1.4)],
  fdim: [between(0, 1), between(-2, -1)],
  atan2: [nonZero, nonZero],
  hypot: [nonZero, nonZero],
  lbeta: [positive, positive],
  beta: [positive, positive],
  lchoose: [between(4, 6), between(0.5, 2)],
  binomial_coefficient_log: [between(4, 6), between(0.5, 2)],
  choose: [integer(4, 7), integer(0, 4)],
  multiply_log: [positive, positive],
  lmultiply: [positive, positive],
  log_sum_exp: [real, real],
  log_diff_exp: [between(1, 2), between(-1, 0.5)],
  log_inv_logit_diff: [between(1, 2), between(-1, 0.5)],
  log_rising_factorial: [positive, positive],
  log_falling_factorial: [between(3, 5), between(0.5, 2)],
  rising_factorial: [positive, small],
  falling_factorial: [between(4, 6), small],
  lmgamma: [small, between(3, 5)],
  binary_log_loss: [integer(0, 1), unit],
  ldexp: [real, order],
  gamma_p: [positive, positive],
  gamma_q: [positive, positive],
  owens_t: [real, real],
  inc_beta: [positive, positive, unit],
  inv_inc_beta: [positive, positive, unit],
  bessel_first_kind: [order, between(0.5, 8)],
  bessel_second_kind: [order, between(0.5, 8)],
  modified_bessel_first_kind: [order, between(0.5, 4)],
  modified_bessel_second_kind: [order, between(0.5, 4)],
  log_modified_bessel_first_kind: [positive, positive],
  fma: [real, real, real],
};

const index = integer(1, 3);

export const containers: Readonly<Record<string, readonly Domain[]>> = {
  sum: [real],
  prod: [real],
  mean: [real],
  variance: [distinct],
  sd: [distinct],
  min: [distinct],
  max: [distinct],
  dot_self: [real],
  norm1: [nonZero],
  norm2: [nonZero],
  dot_product: [real, real],
  distance: [between(0, 1), between(2, 3)],
  squared_distance: [real, real],
  softmax: [real],
  log_softmax: [real],
  cumulative_sum: [real],
  sort_asc: [distinct],
  sort_desc: [distinct],
  sort_indices_asc: [distinct],
  sort_indices_desc: [distinct],
  rank: [distinct, index],
  quantile: [distinct, unit],
  log_mix: [simplex, real, real],
};

export const matrices: Readonly<Record<string, readonly Domain[]>> = {
  multiply: [square, square],
  outer_product: [real, real],
  crossprod: [square],
  tcrossprod: [square],
  multiply_lower_tri_self_transpose: [lowerTriangular],
  cholesky_decompose: [positiveDefinite],
  mdivide_left_tri_low: [lowerTriangular, square],
  mdivide_right_tri_low: [square, lowerTriangular],
  mdivide_left_spd: [positiveDefinite, square],
  mdivide_right_spd: [square, positiveDefinite],
  mdivide_left: [square, square],
  mdivide_right: [square, square],
  inverse: [square],
  inverse_spd: [positiveDefinite],
  determinant: [square],
  log_determinant: [square],
  log_determinant_spd: [positiveDefinite],
  trace: [square],
  trace_dot: [square, square],
  quad_form: [square, square],
  quad_form_sym: [positiveDefinite, square],
  quad_form_diag: [square, real],
  trace_quad_form: [square, square],
  trace_gen_quad_form: [square, square, square],
  symmetrize_from_lower_tri: [square],
  diagonal: [square],
  diag_matrix: [real],
  diag_pre_multiply: [real, square],
  diag_post_multiply: [square, real],
  add_diag: [square, real],
  columns_dot_product: [square, square],
  rows_dot_product: [square, square],
  columns_dot_self: [square],
  rows_dot_self: [square],
  eigenvalues_sym: [positiveDefinite],
  eigenvectors_sym: [positiveDefinite],
  singular_values: [square],
  matrix_exp: [square],
  matrix_power: [square, order],
  chol2inv: [lowerTriangular],
  generalized_inverse: [square],
  qr_Q: [square],
  qr_R: [square],
  qr_thin_Q: [square],
  qr_thin_R: [square],
  svd_U: [square],
  svd_V: [square],
  matrix_exp_multiply: [square, square],
  scale_matrix_exp_multiply: [positive, square, square],
};

/** Points apart from each other, then positive parameters: the number of points depends on the kinds. */
export const covariances: readonly string[] = [
  'gp_exp_quad_cov',
  'cov_exp_quad',
  'gp_exponential_cov',
  'gp_matern32_cov',
  'gp_matern52_cov',
  'gp_periodic_cov',
  'gp_dot_prod_cov',
];

export function covarianceDomains(name: string, kinds: readonly string[]): Domain[] {
  const parameters = name.includes('dot_prod') ? 1 : name.includes('periodic') ? 3 : 2;
  const second: Domain = { numbers: (rng, n) => distinct.numbers(rng, n).map((x) => x + 0.25) };
  return kinds.map((_, k) =>
    k >= kinds.length - parameters ? between(0.7, 2) : k === 0 ? distinct : second,
  );
}
