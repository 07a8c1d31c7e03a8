/** Functions applied to every element of their arguments. */

export const elementwise = `
abs(each_int) -> each_int
abs(each) -> each
exp exp2 expm1 log log2 log10 log1p log1m sqrt cbrt square inv inv_sqrt inv_square(each) -> each
sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh(each) -> each
floor ceil round trunc(each) -> each
logit inv_logit inv_cloglog log_inv_logit log1m_inv_logit log1m_exp log1p_exp(each) -> each
erf erfc inv_erfc Phi Phi_approx inv_Phi std_normal_qf std_normal_log_qf(each) -> each
lgamma tgamma digamma trigamma lambert_w0 lambert_wm1(each) -> each
fabs(each) -> each
pow fmin fmax fmod fdim hypot atan2(each, each) -> each
beta lbeta lchoose binomial_coefficient_log log_diff_exp lmultiply multiply_log(each, each) -> each
log_falling_factorial log_rising_factorial log_inv_logit_diff(each, each) -> each
log_modified_bessel_first_kind(each, each) -> each
gamma_p gamma_q owens_t(each, each) -> each
rising_factorial falling_factorial(each_int, each_int) -> each_int
rising_factorial falling_factorial(each, each_int) -> each
choose(each_int, each_int) -> each_int
bessel_first_kind bessel_second_kind modified_bessel_first_kind modified_bessel_second_kind(each_int, each) -> each
binary_log_loss lmgamma(each_int, each) -> each
ldexp(each, each_int) -> each
fma(real, real, real) -> real
fma(real|vector, real|vector, real|vector) -> vector
fma(real|row_vector, real|row_vector, real|row_vector) -> row_vector
fma(real|matrix, real|matrix, real|matrix) -> matrix
inc_beta inv_inc_beta(real, real, real) -> real
log_sum_exp(vector|row_vector|matrix|real[]) -> real
log_sum_exp(each, each) -> each
step(real) -> real
int_step(int) -> int
int_step(real) -> int
is_inf is_nan(real) -> int
wiener_lcdf_unnorm wiener_lccdf_unnorm(reals, reals, reals, reals, reals) -> real
wiener_lcdf_unnorm wiener_lccdf_unnorm(reals, reals, reals, reals, reals, data real) -> real
wiener_lcdf_unnorm wiener_lccdf_unnorm(reals, reals, reals, reals, reals, reals, reals, reals) -> real
wiener_lcdf_unnorm wiener_lccdf_unnorm(reals, reals, reals, reals, reals, reals, reals, reals, data real) -> real
`;
