/** Functions, the names of their arguments and a meaning, one line each (see `docs-table.ts`). */

export const functionDocs = `
abs fabs(x): Absolute value.
exp(x): Exponential.
exp2(x): 2 to the power x.
expm1(x): exp(x) - 1, exact for small x.
log(x): Natural logarithm.
log2(x; ): Logarithm to base 2.
log10(x; ): Logarithm to base 10.
log1p(x): log(1 + x), exact for small x.
log1m(x): log(1 - x).
sqrt(x): Square root.
cbrt(x): Cube root.
square(x): x times x.
inv(x): 1 / x.
inv_sqrt(x): 1 / sqrt(x).
inv_square(x): 1 / x^2.
pow(x, y): x to the power y.
sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh(x): Trigonometric or hyperbolic function, in radians.
atan2(y, x): Angle of the point (x, y), in radians.
hypot(x, y): Length of the hypotenuse.
floor(x): Greatest integer not above x.
ceil(x): Least integer not below x.
round(x): Nearest integer, halves away from zero.
trunc(x): Integer part.
fmin(x, y): The lesser.
fmax(x, y): The greater.
fmod(x, y): Remainder of x / y with the sign of x.
fdim(x, y): x - y, but not below zero.
fma(x, y, z): x * y + z.
ldexp(x, n): x * 2^n.
logit(p): Log odds of a probability.
inv_logit(x): Probability of log odds x.
inv_cloglog(x): 1 - exp(-exp(x)).
log_inv_logit(x): log(inv_logit(x)).
log1m_inv_logit(x): log(1 - inv_logit(x)).
log1m_exp(x): log(1 - exp(x)).
log1p_exp(x): log(1 + exp(x)).
log_diff_exp(x, y): log(exp(x) - exp(y)).
log_inv_logit_diff(x, y): log(inv_logit(x) - inv_logit(y)).
log_sum_exp(x; x, y): Log of the sum of exponentials, safe from overflow.
log_mix(theta, lp1, lp2; theta, lps): Log density of a mixture: log(theta * exp(lp1) + (1 - theta) * exp(lp2)).
erf(x): Error function.
erfc(x): 1 - erf(x).
inv_erfc(p): Inverse of erfc.
Phi(x): Cumulative probability of the standard normal.
Phi_approx(x): Fast approximation of Phi.
inv_Phi std_normal_qf(p): Quantile of the standard normal.
std_normal_log_qf(log_p): Quantile of the standard normal from a log probability.
lgamma(x): Log of the gamma function.
tgamma(x): Gamma function.
digamma(x): Derivative of lgamma.
trigamma(x): Second derivative of lgamma.
beta(a, b): Beta function.
lbeta(a, b): Log of the beta function.
choose(n, k): Binomial coefficient.
lchoose binomial_coefficient_log(n, k): Log of the binomial coefficient, for reals.
lmgamma(n, x): Log of the multivariate gamma function.
gamma_p(a, x): Lower incomplete gamma function, normalised.
gamma_q(a, x): Upper incomplete gamma function, normalised.
inc_beta(a, b, x): Incomplete beta function, normalised.
lmultiply multiply_log(x, y): x * log(y), zero when both are.
rising_factorial(x, n): x (x + 1) … (x + n - 1).
falling_factorial(x, n): x (x - 1) … (x - n + 1).
lambert_w0(x): Principal branch of the Lambert W function.
lambert_wm1(x): Lower branch of the Lambert W function.
binary_log_loss(y, p): -log of the probability that p gives to y.
step int_step(x): 1 for x above zero, otherwise 0; step(0) is 1.
is_inf(x): Whether x is infinite.
is_nan(x): Whether x is not a number.
pi(): π.
e(): Base of the natural logarithm.
sqrt2(): Square root of 2.
not_a_number(): NaN.
positive_infinity(): ∞.
negative_infinity(): -∞.
machine_precision(): Distance from 1 to the next double.
size(x): Number of elements of the outermost dimension.
num_elements(x): Number of elements of all dimensions.
dims(x): Sizes of all dimensions.
rows(x): Number of rows.
cols(x): Number of columns.
rep_array(x, n; x, m, n; x, k, m, n): Array of n copies of x, or with more dimensions.
rep_vector(x, n): Vector of n copies of x.
rep_row_vector(x, n): Row vector of n copies of x.
rep_matrix(x, m, n; v, m): m by n matrix of x, or a vector or row vector repeated m times.
ones_vector ones_row_vector ones_array ones_int_array(n): n ones.
zeros_vector zeros_row_vector zeros_array zeros_int_array(n): n zeros.
one_hot_vector one_hot_row_vector one_hot_array one_hot_int_array(n, k): n zeros with a one at k.
linspaced_vector linspaced_row_vector linspaced_array linspaced_int_array(n, from, to): n equally spaced values.
identity_matrix(n): n by n matrix of ones on the diagonal.
uniform_simplex(n): Vector of n copies of 1 / n.
append_array(x, y): One array after the other.
append_row(x, y): x above y.
append_col(x, y): x left of y.
head(x, n): The first n elements.
tail(x, n): The last n elements.
segment(x, i, n): n elements from i on.
reverse(x): Elements from last to first.
row(x, m): Row m of a matrix.
col(x, n): Column n of a matrix.
sub_row(x, i, j, n): n elements of row i from column j on.
sub_col(x, i, j, n): n elements of column j from row i on.
block(x, i, j, m, n): m by n sub-matrix that starts at i, j.
to_vector(x): Elements as a vector, column by column.
to_row_vector(x): Elements as a row vector, column by column.
to_matrix(x, m, n; x; x, m, n, col_major): Elements as a matrix, column by column.
to_array_1d(x): Elements as a flat array.
to_array_2d(x): Matrix as an array of arrays.
to_int(x): Real to int, toward zero; data only.
sum(x): Sum of the elements.
prod(x): Product of the elements.
max(x; x, y): Greatest element, or the greater of two ints.
min(x; x, y): Least element, or the lesser of two ints.
mean(x): Mean of the elements.
sd(x): Sample standard deviation.
variance(x): Sample variance.
quantile(x, p): Quantile of the elements.
norm1(x): Sum of absolute values.
norm2(x): Euclidean length.
dot_product(x, y): Sum of products of elements.
dot_self(x): Sum of squares.
distance(x, y): Euclidean distance.
squared_distance(x, y): Square of the distance.
cumulative_sum(x): Running sum.
sort_asc(x): Elements in increasing order.
sort_desc(x): Elements in decreasing order.
sort_indices_asc(x): Indexes that put the elements in increasing order.
sort_indices_desc(x): Indexes that put the elements in decreasing order.
rank(x, i): How many elements are less than x[i].
softmax(x): Exponentials scaled to sum to one.
log_softmax(x): Log of softmax.
diagonal(x): Diagonal as a vector.
diag_matrix(x): Matrix with x on its diagonal.
diag_pre_multiply(v, m): diag_matrix(v) * m.
diag_post_multiply(m, v): m * diag_matrix(v).
add_diag(m, v): m with v added to its diagonal.
columns_dot_product rows_dot_product(x, y): Dot product of each column or row.
columns_dot_self rows_dot_self(x): Dot product of each column or row with itself.
inverse(A): Inverse matrix.
inverse_spd(A): Inverse of a symmetric positive definite matrix.
generalized_inverse(A): Moore–Penrose inverse.
chol2inv(L): Inverse of the matrix that L is the Cholesky factor of.
determinant(A): Determinant.
log_determinant(A): Log of the absolute determinant.
log_determinant_spd(A): Log determinant of a symmetric positive definite matrix.
trace(A): Sum of the diagonal.
cholesky_decompose(A): Lower triangular L with L * L' = A.
crossprod(A): A' * A.
tcrossprod(A): A * A'.
multiply_lower_tri_self_transpose(L): L * L' of the lower triangle.
symmetrize_from_lower_tri(A): Symmetric matrix from the lower triangle.
matrix_exp(A): Matrix exponential.
matrix_power(A, n): A to the power n.
mdivide_left(A, b): inverse(A) * b.
mdivide_right(b, A): b * inverse(A).
mdivide_left_tri_low(A, b): inverse(A) * b for lower triangular A.
mdivide_right_tri_low(b, A): b * inverse(A) for lower triangular A.
mdivide_left_spd(A, b): inverse(A) * b for symmetric positive definite A.
mdivide_right_spd(b, A): b * inverse(A) for symmetric positive definite A.
quad_form(A, B): B' * A * B.
quad_form_sym(A, B): B' * A * B for symmetric A, exactly symmetric.
quad_form_diag(A, v): diag_matrix(v) * A * diag_matrix(v).
trace_quad_form(A, B): Trace of B' * A * B.
eigenvalues_sym(A): Eigenvalues of a symmetric matrix, increasing.
eigenvectors_sym(A): Eigenvectors of a symmetric matrix, as columns.
singular_values(A): Singular values, decreasing.
svd_U svd_V(A): Singular vectors.
svd(A): Singular value decomposition: the tuple (U, singular values, V).
eigendecompose_sym(A): Eigenvectors and eigenvalues of a symmetric matrix, as a tuple.
qr qr_thin(A): QR decomposition: the tuple (Q, R).
qr_Q qr_R qr_thin_Q qr_thin_R(A): Factor of the QR decomposition.
gp_exp_quad_cov cov_exp_quad(x, sigma, length_scale; x1, x2, sigma, length_scale): Squared exponential covariance.
gp_exponential_cov(x, sigma, length_scale; x1, x2, sigma, length_scale): Exponential covariance.
gp_matern32_cov(x, sigma, length_scale; x1, x2, sigma, length_scale): Matérn 3/2 covariance.
gp_matern52_cov(x, sigma, length_scale; x1, x2, sigma, length_scale): Matérn 5/2 covariance.
gp_periodic_cov(x, sigma, length_scale, period; x1, x2, sigma, length_scale, period): Periodic covariance.
gp_dot_prod_cov(x, sigma; x1, x2, sigma): Dot product covariance.
csr_matrix_times_vector(m, n, w, v, u, b): Sparse matrix times vector.
hmm_marginal(log_omega, Gamma, rho): Log density of a hidden Markov model, states summed out.
ode_rk45(f, y0, t0, ts, …): Solves y' = f(t, y, …) by Runge–Kutta, at times ts.
ode_bdf(f, y0, t0, ts, …): Solves a stiff y' = f(t, y, …), at times ts.
ode_rk45_tol ode_bdf_tol(f, y0, t0, ts, rel_tol, abs_tol, max_steps, …): As without _tol, with tolerances.
ode_ckrk ode_adams(f, y0, t0, ts, …): Solves a non-stiff y' = f(t, y, …), at times ts.
ode_ckrk_tol ode_adams_tol(f, y0, t0, ts, rel_tol, abs_tol, max_steps, …): As without _tol, with tolerances.
ode_adjoint_tol_ctl(f, y0, t0, ts, rel_tol_forward, abs_tol_forward, rel_tol_backward, abs_tol_backward, rel_tol_quadrature, abs_tol_quadrature, max_steps, steps_between_checkpoints, interpolation, solver_forward, solver_backward, …): Solves y' = f(t, y, …) with control over all tolerances.
solve_newton solve_powell(f, guess, …): Solves f(y, …) = 0 for y, from a guess.
solve_newton_tol(f, guess, scaling_step, function_tol, max_steps, …): As solve_newton, with tolerances.
solve_powell_tol(f, guess, rel_tol, function_tol, max_steps, …): As solve_powell, with tolerances.
algebra_solver algebra_solver_newton(f, guess, theta, x_r, x_i; f, guess, theta, x_r, x_i, rel_tol, function_tol, max_num_steps): Old form of solve_powell and solve_newton.
integrate_1d(f, a, b, theta, x_r, x_i; f, a, b, theta, x_r, x_i, rel_tol): Integral of f(x, xc, theta, x_r, x_i) from a to b, by double exponential quadrature.
integrate_1d_double_exponential integrate_1d_gauss_kronrod(f, a, b, …): Integral of f(x, xc, …) from a to b.
integrate_1d_double_exponential_tol integrate_1d_gauss_kronrod_tol(f, a, b, rel_tol, abs_tol, max_depth, …): As without _tol, with tolerances.
reduce_sum reduce_sum_static(f, x, grainsize, …): Sum of f(slice of x, start, end, …) over slices of x.
map_rect(f, phi, theta, x_r, x_i): The vectors f(phi, theta[k], x_r[k], x_i[k]), one after another.
integrate_ode_rk45 integrate_ode_adams integrate_ode_bdf(f, y0, t0, ts, theta, x_r, x_i; f, y0, t0, ts, theta, x_r, x_i, rel_tol, abs_tol, max_num_steps): Old form of ode_rk45, ode_adams and ode_bdf.
integrate_ode(f, y0, t0, ts, theta, x_r, x_i; f, y0, t0, ts, theta, x_r, x_i, rel_tol, abs_tol, max_num_steps): Old form of ode_rk45.
hmm_latent_rng(log_omega, Gamma, rho): A random sequence of the hidden states of a hidden Markov model.
hmm_hidden_state_prob(log_omega, Gamma, rho): Probability of each hidden state at each time.
bessel_first_kind bessel_second_kind(v, x): Bessel function of order v.
modified_bessel_first_kind modified_bessel_second_kind(v, x): Modified Bessel function of order v.
log_modified_bessel_first_kind(v, x): Log of the modified Bessel function of the first kind.
inv_inc_beta(a, b, p): The x at which inc_beta(a, b, x) is p.
log_falling_factorial(x, n): Log of x (x - 1) … (x - n + 1).
log_rising_factorial(x, n): Log of x (x + 1) … (x + n - 1).
owens_t(h, a): Owen's T function.
csr_extract(A): A sparse matrix in compressed rows: the tuple (values, columns, row starts).
csr_extract_w(A): Values of the nonzero entries of a sparse matrix.
csr_extract_v(A): Column of each nonzero entry.
csr_extract_u(A): Where each row begins among the nonzero entries.
csr_to_dense_matrix(m, n, w, v, u): Dense form of a sparse matrix.
matrix_exp_multiply(A, B): matrix_exp(A) * B.
scale_matrix_exp_multiply(t, A, B): matrix_exp(t * A) * B.
trace_dot(A, B): Trace of A * B.
trace_gen_quad_form(D, A, B): Trace of D * B' * A * B.
add(x, y): x + y.
subtract(x, y): x - y.
multiply(x, y): x * y.
divide(x, y): x / y.
elt_multiply(x, y): x .* y, element by element.
elt_divide(x, y): x ./ y, element by element.
modulus(x, y): x % y.
minus(x): -x.
plus(x): +x.
transpose(x): x', rows as columns.
logical_and(x, y): x && y.
logical_or(x, y): x || y.
logical_negation(x): !x.
logical_eq(x, y): x == y.
logical_neq(x, y): x != y.
logical_lt(x, y): x < y.
logical_lte(x, y): x <= y.
logical_gt(x, y): x > y.
logical_gte(x, y): x >= y.
lower_bound_constrain(y, lb): Free values to values above lb: exp(y) + lb.
lower_bound_unconstrain(x, lb): The free values of values above lb.
upper_bound_constrain(y, ub): Free values to values below ub: ub - exp(y).
upper_bound_unconstrain(x, ub): The free values of values below ub.
lower_upper_bound_constrain(y, lb, ub): Free values to values between lb and ub: lb + (ub - lb) * inv_logit(y).
lower_upper_bound_unconstrain(x, lb, ub): The free values of values between lb and ub.
offset_multiplier_constrain(y, offset, mult): offset + mult * y.
offset_multiplier_unconstrain(x, offset, mult): (x - offset) / mult.
ordered_constrain(y): Free values to vectors in ascending order.
ordered_unconstrain(x): The free values of vectors in ascending order.
positive_ordered_constrain(y): Free values to positive vectors in ascending order.
positive_ordered_unconstrain(x): The free values of positive vectors in ascending order.
simplex_constrain(y): Free values to simplexes, by softmax of a vector that sums to zero.
simplex_unconstrain(x): The free values of simplexes.
unit_vector_constrain(y): Free values to vectors of length one.
unit_vector_unconstrain(x): The free values of vectors of length one.
sum_to_zero_constrain(y): Free values to vectors, or matrices along both dimensions, that sum to zero.
sum_to_zero_unconstrain(x): The free values of vectors, or matrices along both dimensions, that sum to zero.
stochastic_column_constrain(y): Free values to matrices whose columns are simplexes.
stochastic_column_unconstrain(x): The free values of matrices whose columns are simplexes.
stochastic_row_constrain(y): Free values to matrices whose rows are simplexes.
stochastic_row_unconstrain(x): The free values of matrices whose rows are simplexes.
cholesky_factor_corr_constrain(y, K): Free values to Cholesky factors of K x K correlation matrices.
cholesky_factor_corr_unconstrain(x): The free values of Cholesky factors of correlation matrices.
cholesky_factor_cov_constrain(y, M, N): Free values to M x N Cholesky factors of covariance matrices.
cholesky_factor_cov_unconstrain(x): The free values of Cholesky factors of covariance matrices.
corr_matrix_constrain(y, K): Free values to K x K correlation matrices.
corr_matrix_unconstrain(x): The free values of correlation matrices.
cov_matrix_constrain(y, K): Free values to K x K covariance matrices.
cov_matrix_unconstrain(x): The free values of covariance matrices.
wiener_lcdf_unnorm(y, alpha, tau, beta, delta; y, alpha, tau, beta, delta, precision; y, alpha, tau, beta, delta, var_delta, var_beta, var_tau; y, alpha, tau, beta, delta, var_delta, var_beta, var_tau, precision): Log probability that a Wiener process reaches the upper boundary first, and by time y.
wiener_lccdf_unnorm(y, alpha, tau, beta, delta; y, alpha, tau, beta, delta, precision; y, alpha, tau, beta, delta, var_delta, var_beta, var_tau; y, alpha, tau, beta, delta, var_delta, var_beta, var_tau, precision): Log probability that a Wiener process reaches the upper boundary first, and later than y.
hypergeometric_1F0(a, z): (1 - z)^(-a).
hypergeometric_2F1(a1, a2, b1, z): Gauss's hypergeometric function.
hypergeometric_3F2(a, b, z): Hypergeometric function of three upper and two lower parameters.
hypergeometric_pFq(a, b, z): Generalised hypergeometric function of upper parameters a and lower parameters b.
student_t_qf(p, nu, mu, sigma): Quantile of Student's t.
laplace_marginal(likelihood, likelihood_arguments, hessian_block_size, covariance, covariance_arguments): Laplace approximation of the log likelihood with the latent vector integrated out; likelihood is real f(vector theta, …), the covariance function is matrix g(…), each with the members of its tuple.
laplace_marginal_tol(likelihood, likelihood_arguments, hessian_block_size, covariance, covariance_arguments, options): laplace_marginal with options (theta_init, tol, max_num_steps, solver, max_steps_linesearch, allow_fallback).
laplace_latent_rng(likelihood, likelihood_arguments, hessian_block_size, covariance, covariance_arguments): A draw of the latent vector from its Laplace approximation.
laplace_latent_tol_rng(likelihood, likelihood_arguments, hessian_block_size, covariance, covariance_arguments, options): laplace_latent_rng with options.
laplace_latent_solve(likelihood, likelihood_arguments, hessian_block_size, covariance, covariance_arguments): Mean and Cholesky factor of the covariance of the Laplace approximation.
laplace_latent_solve_tol(likelihood, likelihood_arguments, hessian_block_size, covariance, covariance_arguments, options): laplace_latent_solve with options.
laplace_marginal_poisson_log(y_index, m, hessian_block_size, covariance, covariance_arguments): Laplace approximation with counts y and log rates m + theta of their groups.
laplace_latent_poisson_log_rng(y, y_index, m, hessian_block_size, covariance, covariance_arguments): A random draw of the latent vector: Laplace approximation with counts y and log rates m + theta of their groups.
laplace_marginal_tol_poisson_log(y_index, m, hessian_block_size, covariance, covariance_arguments, options): laplace_marginal_poisson_log with options.
laplace_latent_tol_poisson_log_rng(y, y_index, m, hessian_block_size, covariance, covariance_arguments, options): A random draw of the latent vector: laplace_marginal_poisson_log with options.
laplace_marginal_bernoulli_logit(y_index, m, hessian_block_size, covariance, covariance_arguments): Laplace approximation with outcomes y and log odds m + theta of their groups.
laplace_latent_bernoulli_logit_rng(y, y_index, m, hessian_block_size, covariance, covariance_arguments): A random draw of the latent vector: Laplace approximation with outcomes y and log odds m + theta of their groups.
laplace_marginal_tol_bernoulli_logit(y_index, m, hessian_block_size, covariance, covariance_arguments, options): laplace_marginal_bernoulli_logit with options.
laplace_latent_tol_bernoulli_logit_rng(y, y_index, m, hessian_block_size, covariance, covariance_arguments, options): A random draw of the latent vector: laplace_marginal_bernoulli_logit with options.
laplace_marginal_neg_binomial_2_log(y_index, eta, m, hessian_block_size, covariance, covariance_arguments): Laplace approximation with counts y of precision eta and log means m + theta of their groups.
laplace_latent_neg_binomial_2_log_rng(y, y_index, eta, m, hessian_block_size, covariance, covariance_arguments): A random draw of the latent vector: Laplace approximation with counts y of precision eta and log means m + theta of their groups.
laplace_marginal_tol_neg_binomial_2_log(y_index, eta, m, hessian_block_size, covariance, covariance_arguments, options): laplace_marginal_neg_binomial_2_log with options.
laplace_latent_tol_neg_binomial_2_log_rng(y, y_index, eta, m, hessian_block_size, covariance, covariance_arguments, options): A random draw of the latent vector: laplace_marginal_neg_binomial_2_log with options.
generate_laplace_options(n): Default options of the Laplace approximation for n latent values, or for an initial vector.
dae(residual, y0, dy0, t0, ts, …): Solution of the differential-algebraic system residual(t, y, dy, …) = 0 of index 1 at the times ts; y0 and dy0 must be consistent.
dae_tol(residual, y0, dy0, t0, ts, rel_tol, abs_tol, max_num_steps, …): dae with tolerances.
to_complex(re, im; ; re): The complex number re + im i; a part left out is 0.
get_real(z): Real parts.
get_imag(z): Imaginary parts.
arg(z): Angle of a complex number, from -pi to pi.
norm(z): Square of the absolute value of a complex number.
conj(z): Complex conjugate.
proj(z): Projection onto the Riemann sphere: all infinities become one.
polar(r, theta): The complex number with absolute value r and angle theta.
fft(z): Discrete Fourier transform.
inv_fft(z): Inverse of fft, divided by the length.
fft2(z): Discrete Fourier transform of rows and columns.
inv_fft2(z): Inverse of fft2.
eigenvalues(A): Eigenvalues of any square matrix, which are complex.
eigenvectors(A): Eigenvectors of any square matrix, as columns of length 1.
eigendecompose(A): Eigenvectors and eigenvalues of any square matrix, as a tuple.
complex_schur_decompose(A): Schur decomposition A = U T U*: the tuple (U, T).
complex_schur_decompose_t(A): The triangular factor of the Schur decomposition.
complex_schur_decompose_u(A): The unitary factor of the Schur decomposition.
multinomial_rng(theta, N): A random draw of counts that sum to N, over categories with probabilities theta.
multinomial_logit_rng(gamma, N): A random draw of counts that sum to N, over categories with probabilities softmax(gamma).
dirichlet_multinomial_rng(alpha, N): A random draw of counts that sum to N, their probabilities Dirichlet distributed.
lkj_corr_rng(K, eta): A random K by K correlation matrix, uniform for eta = 1.
lkj_corr_cholesky_rng(K, eta): The Cholesky factor of a random K by K correlation matrix.
`;
