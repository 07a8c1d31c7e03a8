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
lkj_cov gaussian_dlm_obs
`;

/** Functions by full name, distributions without their suffix. */
export const unsupportedFunctions: ReadonlySet<string> = new Set(names.trim().split(/\s+/));
