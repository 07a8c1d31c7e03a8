/** Functions and distributions of real Stan that the embedded engine does not run; the checker says so by name. */

const names = `
dae dae_tol
laplace_marginal laplace_marginal_tol laplace_latent_rng laplace_latent_tol_rng
laplace_marginal_bernoulli_logit laplace_marginal_tol_bernoulli_logit
laplace_marginal_neg_binomial_2_log laplace_marginal_tol_neg_binomial_2_log
laplace_marginal_poisson_log laplace_marginal_tol_poisson_log
laplace_latent_bernoulli_logit_rng laplace_latent_poisson_log_rng laplace_latent_neg_binomial_2_log_rng
laplace_latent_tol_bernoulli_logit_rng laplace_latent_tol_poisson_log_rng laplace_latent_tol_neg_binomial_2_log_rng
generate_laplace_options
to_complex get_real get_imag arg conj proj polar norm
fft fft2 inv_fft inv_fft2 eigenvalues eigenvectors eigendecompose
wiener_lcdf_unnorm wiener_lccdf_unnorm
complex_schur_decompose complex_schur_decompose_t complex_schur_decompose_u
hypergeometric_1F0 hypergeometric_2F1 hypergeometric_3F2 hypergeometric_pFq student_t_qf
lkj_cov gaussian_dlm_obs
`;

const prefixes = [
  'simplex',
  'ordered',
  'positive_ordered',
  'unit_vector',
  'sum_to_zero',
  'cholesky_factor_corr',
  'cholesky_factor_cov',
  'corr_matrix',
  'cov_matrix',
  'stochastic_column',
  'stochastic_row',
  'lower_bound',
  'upper_bound',
  'lower_upper_bound',
  'offset_multiplier',
];

const transforms = prefixes.flatMap((prefix) =>
  ['constrain', 'unconstrain', 'jacobian'].map((suffix) => `${prefix}_${suffix}`),
);

/** Functions by full name, distributions without their suffix. */
export const unsupportedFunctions: ReadonlySet<string> = new Set([
  ...names.trim().split(/\s+/),
  ...transforms,
]);
