/** Distributions, the names of their arguments, their support and a meaning, one line each (see `docs-table.ts`). */

export const distributionDocs = `
normal(mu, sigma) {y real; sigma > 0}: Normal with mean mu and standard deviation sigma.
std_normal() {y real}: Normal with mean 0 and standard deviation 1.
normal_id_glm(x, alpha, beta, sigma) {y real; sigma > 0}: Normal regression with mean alpha + x * beta.
exp_mod_normal(mu, sigma, lambda) {y real; sigma > 0, lambda > 0}: Sum of a normal and an exponential with rate lambda.
skew_normal(xi, omega, alpha) {y real; omega > 0}: Skew normal with location xi, scale omega and shape alpha.
student_t(nu, mu, sigma) {y real; nu > 0, sigma > 0}: Student t with nu degrees of freedom, location mu and scale sigma.
cauchy(mu, sigma) {y real; sigma > 0}: Cauchy with location mu and scale sigma.
double_exponential(mu, sigma) {y real; sigma > 0}: Laplace with location mu and scale sigma.
skew_double_exponential(mu, sigma, tau) {y real; sigma > 0, 0 < tau < 1}: Laplace with location mu, scale sigma and skewness tau.
logistic(mu, sigma) {y real; sigma > 0}: Logistic with location mu and scale sigma.
gumbel(mu, beta) {y real; beta > 0}: Gumbel with location mu and scale beta.
lognormal(mu, sigma) {y > 0; sigma > 0}: The logarithm is normal with mean mu and standard deviation sigma.
chi_square(nu) {y >= 0; nu > 0}: Chi-squared with nu degrees of freedom.
inv_chi_square(nu) {y > 0; nu > 0}: Inverse of a chi-squared with nu degrees of freedom.
scaled_inv_chi_square(nu, s) {y > 0; nu > 0, s > 0}: Inverse chi-squared with nu degrees of freedom and scale s.
exponential(beta) {y >= 0; beta > 0}: Exponential with rate beta, so its mean is 1 / beta.
gamma(alpha, beta) {y > 0; alpha > 0, beta > 0}: Gamma with shape alpha and rate beta.
inv_gamma(alpha, beta) {y > 0; alpha > 0, beta > 0}: Inverse gamma with shape alpha and scale beta.
weibull(alpha, sigma) {y >= 0; alpha > 0, sigma > 0}: Weibull with shape alpha and scale sigma.
frechet(alpha, sigma) {y > 0; alpha > 0, sigma > 0}: Fréchet with shape alpha and scale sigma.
rayleigh(sigma) {y >= 0; sigma > 0}: Rayleigh with scale sigma.
loglogistic(alpha, beta) {y >= 0; alpha > 0, beta > 0}: Log-logistic with scale alpha and shape beta.
pareto(y_min, alpha) {y >= y_min; y_min > 0, alpha > 0}: Pareto above y_min with shape alpha.
wiener(alpha, tau, beta, delta; alpha, tau, beta, delta, var_delta; alpha, tau, beta, delta, var_delta, var_beta, var_tau; alpha, tau, beta, delta, var_delta, precision; alpha, tau, beta, delta, var_delta, var_beta, var_tau, precision) {y > tau; alpha > 0, tau > 0, 0 < beta < 1}: First passage times at the upper boundary of a drift-diffusion process: separation alpha, nondecision time tau, relative start beta, drift delta.
pareto_type_2(mu, lambda, alpha) {y >= mu; lambda > 0, alpha > 0}: Pareto of type 2 with location mu, scale lambda and shape alpha.
beta(alpha, beta) {0 < y < 1; alpha > 0, beta > 0}: Beta on (0, 1) with successes alpha and failures beta.
beta_proportion(mu, kappa) {0 < y < 1; 0 < mu < 1, kappa > 0}: Beta with mean mu and precision kappa.
von_mises(mu, kappa) {y real; kappa > 0}: Von Mises on the circle with location mu and concentration kappa.
uniform(alpha, beta) {alpha <= y <= beta}: Uniform between alpha and beta.
bernoulli(theta) {y 0 or 1; 0 <= theta <= 1}: 1 with probability theta, otherwise 0.
bernoulli_logit(alpha) {y 0 or 1}: 1 with probability inv_logit(alpha), otherwise 0.
bernoulli_logit_glm(x, alpha, beta) {y 0 or 1}: Logistic regression with log odds alpha + x * beta.
binomial(N, theta) {y in 0, …, N; 0 <= theta <= 1}: Successes in N trials with probability theta.
binomial_logit(N, alpha) {y in 0, …, N}: Successes in N trials with probability inv_logit(alpha).
binomial_logit_glm(N, x, alpha, beta) {y in 0, …, N}: Binomial regression with log odds alpha + x * beta.
beta_binomial(N, alpha, beta) {y in 0, …, N; alpha > 0, beta > 0}: Binomial whose probability is beta distributed.
beta_neg_binomial(r, alpha, beta) {y in 0, 1, 2, …; r > 0, alpha > 0, beta > 0}: Negative binomial whose probability is beta distributed.
hypergeometric(N, a, b) {y from max(0, N - b) to min(a, N)}: Number of the first kind among N drawn from a of the first kind and b of the second.
discrete_range(l, u) {y in l, …, u}: Uniform over the integers from l to u.
categorical(theta) {y in 1, …, K}: One of 1 to K with probabilities theta, a simplex.
categorical_logit(beta) {y in 1, …, K}: One of 1 to K with probabilities softmax(beta).
categorical_logit_glm(x, alpha, beta) {y in 1, …, K}: Categorical regression with logits alpha + x * beta.
ordered_logistic(eta, c) {y in 1, …, K, one more than cut points; c increasing}: Ordered category from predictor eta and cut points c.
ordered_logistic_glm(x, beta, c) {y in 1, …, K, one more than cut points; c increasing}: Ordered regression with predictor x * beta and cut points c.
ordered_probit(eta, c) {y in 1, …, K, one more than cut points; c increasing}: Ordered category from predictor eta and cut points c, with normal errors.
neg_binomial(alpha, beta) {y in 0, 1, 2, …; alpha > 0, beta > 0}: Negative binomial with shape alpha and inverse scale beta.
neg_binomial_2(mu, phi) {y in 0, 1, 2, …; mu > 0, phi > 0}: Negative binomial with mean mu and precision phi.
neg_binomial_2_log(eta, phi) {y in 0, 1, 2, …; phi > 0}: Negative binomial with mean exp(eta) and precision phi.
neg_binomial_2_log_glm(x, alpha, beta, phi) {y in 0, 1, 2, …; phi > 0}: Negative binomial regression with log mean alpha + x * beta.
poisson(lambda) {y in 0, 1, 2, …; lambda > 0}: Poisson with mean lambda.
poisson_log(alpha) {y in 0, 1, 2, …}: Poisson with mean exp(alpha).
poisson_log_glm(x, alpha, beta) {y in 0, 1, 2, …}: Poisson regression with log mean alpha + x * beta.
yule_simon(alpha) {y in 1, 2, 3, …; alpha > 0}: Yule–Simon with shape alpha.
multinomial(theta) {y counts, 0 or more; theta a simplex}: Counts over categories with probabilities theta.
multinomial_logit(gamma) {y counts, 0 or more}: Counts over categories with probabilities softmax(gamma).
dirichlet_multinomial(alpha) {y counts, 0 or more; alpha > 0}: Multinomial whose probabilities are Dirichlet distributed.
multi_normal(mu, Sigma) {y a vector; Sigma positive definite}: Multivariate normal with covariance Sigma.
multi_normal_prec(mu, Omega) {y a vector; Omega positive definite}: Multivariate normal with precision Omega.
multi_normal_cholesky(mu, L) {y a vector; L lower triangular, diagonal > 0}: Multivariate normal with Cholesky factor L of its covariance.
multi_student_t(nu, mu, Sigma) {y a vector; nu > 0, Sigma positive definite}: Multivariate Student t with scale matrix Sigma.
multi_student_t_cholesky(nu, mu, L) {y a vector; nu > 0, L lower triangular, diagonal > 0}: Multivariate Student t with Cholesky factor L of its scale matrix.
multi_gp(K, w) {y a matrix; K positive definite, w > 0}: Rows are Gaussian processes with kernel K and inverse scales w.
multi_gp_cholesky(L, w) {y a matrix; L lower triangular, diagonal > 0, w > 0}: As multi_gp, with the Cholesky factor L of the kernel.
dirichlet(alpha) {y a simplex; alpha > 0}: Dirichlet over simplexes with counts alpha.
lkj_corr(eta) {y a correlation matrix; eta > 0}: Over correlation matrices, uniform for eta = 1.
lkj_corr_cholesky(eta) {y a Cholesky factor of a correlation matrix; eta > 0}: Over Cholesky factors of correlation matrices, uniform correlations for eta = 1.
lkj_cov(mu, sigma, eta) {y a covariance matrix; sigma > 0, eta > 0}: Over covariance matrices: lognormal scales and an LKJ correlation matrix.
gaussian_dlm_obs(F, G, V, W, m0, C0) {y a matrix, a column for each time; V, W and C0 positive semidefinite}: Observations (columns) of a Gaussian dynamic linear model, its states integrated out; V may be a vector of variances.
wishart(nu, S) {y positive definite; nu > rows - 1, S positive definite}: Over covariance matrices with nu degrees of freedom and scale S.
wishart_cholesky(nu, L) {y lower triangular, diagonal > 0; nu > rows - 1}: Wishart over Cholesky factors.
inv_wishart(nu, S) {y positive definite; nu > rows - 1, S positive definite}: Inverse Wishart with nu degrees of freedom and scale S.
inv_wishart_cholesky(nu, L) {y lower triangular, diagonal > 0; nu > rows - 1}: Inverse Wishart over Cholesky factors.
`;
