/** Distributions and their arguments, one line each, for hovers and completions. */

export const distributionDocs = `
normal(mu, sigma): Normal with mean mu and standard deviation sigma.
std_normal(): Normal with mean 0 and standard deviation 1.
normal_id_glm(x, alpha, beta, sigma): Normal regression with mean alpha + x * beta.
exp_mod_normal(mu, sigma, lambda): Sum of a normal and an exponential of rate lambda.
skew_normal(xi, omega, alpha): Skew normal with location xi, scale omega and shape alpha.
student_t(nu, mu, sigma): Student t with nu degrees of freedom, location mu and scale sigma.
cauchy(mu, sigma): Cauchy with location mu and scale sigma.
double_exponential(mu, sigma): Laplace with location mu and scale sigma.
skew_double_exponential(mu, sigma, tau): Laplace with location mu, scale sigma and skewness tau.
logistic(mu, sigma): Logistic with location mu and scale sigma.
gumbel(mu, beta): Gumbel with location mu and scale beta.
lognormal(mu, sigma): The logarithm is normal with mean mu and standard deviation sigma.
chi_square(nu): Chi-squared with nu degrees of freedom.
inv_chi_square(nu): Inverse of a chi-squared with nu degrees of freedom.
scaled_inv_chi_square(nu, s): Inverse chi-squared with nu degrees of freedom and scale s.
exponential(beta): Exponential with rate beta, so its mean is 1 / beta.
gamma(alpha, beta): Gamma with shape alpha and rate beta.
inv_gamma(alpha, beta): Inverse gamma with shape alpha and scale beta.
weibull(alpha, sigma): Weibull with shape alpha and scale sigma.
frechet(alpha, sigma): Fréchet with shape alpha and scale sigma.
rayleigh(sigma): Rayleigh with scale sigma.
loglogistic(alpha, beta): Log-logistic with scale alpha and shape beta.
pareto(y_min, alpha): Pareto above y_min with shape alpha.
wiener(alpha, tau, beta, delta): First passage times at the upper boundary of a drift-diffusion process: separation alpha, nondecision time tau, relative start beta, drift delta.
pareto_type_2(mu, lambda, alpha): Pareto of type 2 with location mu, scale lambda and shape alpha.
beta(alpha, beta): Beta on (0, 1) with successes alpha and failures beta.
beta_proportion(mu, kappa): Beta with mean mu and precision kappa.
von_mises(mu, kappa): Von Mises on the circle with location mu and concentration kappa.
uniform(alpha, beta): Uniform between alpha and beta.
bernoulli(theta): 1 with probability theta, otherwise 0.
bernoulli_logit(alpha): 1 with probability inv_logit(alpha), otherwise 0.
bernoulli_logit_glm(x, alpha, beta): Logistic regression with log odds alpha + x * beta.
binomial(N, theta): Successes in N trials of probability theta.
binomial_logit(N, alpha): Successes in N trials of probability inv_logit(alpha).
binomial_logit_glm(N, x, alpha, beta): Binomial regression with log odds alpha + x * beta.
beta_binomial(N, alpha, beta): Binomial whose probability is beta distributed.
beta_neg_binomial(r, alpha, beta): Negative binomial whose probability is beta distributed.
hypergeometric(N, a, b): Of a first and b second kind, how many of the first among N drawn.
discrete_range(l, u): Uniform over the integers from l to u.
categorical(theta): One of 1 to K with probabilities theta, a simplex.
categorical_logit(beta): One of 1 to K with probabilities softmax(beta).
categorical_logit_glm(x, alpha, beta): Categorical regression with logits alpha + x * beta.
ordered_logistic(eta, c): Ordered category from predictor eta and cut points c.
ordered_logistic_glm(x, beta, c): Ordered regression with predictor x * beta and cut points c.
ordered_probit(eta, c): Ordered category from predictor eta and cut points c, with normal errors.
neg_binomial(alpha, beta): Negative binomial with shape alpha and inverse scale beta.
neg_binomial_2(mu, phi): Negative binomial with mean mu and precision phi.
neg_binomial_2_log(eta, phi): Negative binomial with mean exp(eta) and precision phi.
neg_binomial_2_log_glm(x, alpha, beta, phi): Negative binomial regression with log mean alpha + x * beta.
poisson(lambda): Poisson with mean lambda.
poisson_log(alpha): Poisson with mean exp(alpha).
poisson_log_glm(x, alpha, beta): Poisson regression with log mean alpha + x * beta.
yule_simon(alpha): Yule–Simon with shape alpha.
multinomial(theta): Counts over categories of probabilities theta.
multinomial_logit(gamma): Counts over categories of probabilities softmax(gamma).
dirichlet_multinomial(alpha): Multinomial whose probabilities are Dirichlet distributed.
multi_normal(mu, Sigma): Multivariate normal with covariance Sigma.
multi_normal_prec(mu, Omega): Multivariate normal with precision Omega.
multi_normal_cholesky(mu, L): Multivariate normal with Cholesky factor L of its covariance.
multi_student_t(nu, mu, Sigma): Multivariate Student t with scale matrix Sigma.
multi_student_t_cholesky(nu, mu, L): Multivariate Student t with Cholesky factor L of its scale matrix.
multi_gp(K, w): Rows are Gaussian processes with kernel K and inverse scales w.
multi_gp_cholesky(L, w): As multi_gp, with the Cholesky factor L of the kernel.
dirichlet(alpha): Dirichlet over simplexes with counts alpha.
lkj_corr(eta): Over correlation matrices, uniform for eta = 1.
lkj_corr_cholesky(eta): Over Cholesky factors of correlation matrices, uniform correlations for eta = 1.
lkj_cov(mu, sigma, eta): Over covariance matrices: lognormal scales and an LKJ correlation matrix.
gaussian_dlm_obs(F, G, V, W, m0, C0): Observations (columns) of a Gaussian dynamic linear model, its states integrated out; V may be a vector of variances.
wishart(nu, S): Over covariance matrices with nu degrees of freedom and scale S.
wishart_cholesky(nu, L): Wishart over Cholesky factors.
inv_wishart(nu, S): Inverse Wishart with nu degrees of freedom and scale S.
inv_wishart_cholesky(nu, L): Inverse Wishart over Cholesky factors.
`;
