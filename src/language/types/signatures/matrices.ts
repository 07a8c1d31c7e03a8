/** Linear algebra and covariance functions. */

export const matrices = `
diagonal(matrix) -> vector
diag_matrix(vector) -> matrix
diag_pre_multiply(vector|row_vector, matrix) -> matrix
diag_post_multiply(matrix, vector|row_vector) -> matrix
add_diag(matrix, real|vector|row_vector) -> matrix
columns_dot_product(vector, vector) -> row_vector
columns_dot_product(row_vector, row_vector) -> row_vector
columns_dot_product(matrix, matrix) -> row_vector
columns_dot_self(vector|row_vector|matrix) -> row_vector
rows_dot_product(vector, vector) -> vector
rows_dot_product(row_vector, row_vector) -> vector
rows_dot_product(matrix, matrix) -> vector
rows_dot_self(vector|row_vector|matrix) -> vector
inverse inverse_spd generalized_inverse chol2inv(matrix) -> matrix
determinant log_determinant log_determinant_spd trace(matrix) -> real
cholesky_decompose crossprod tcrossprod multiply_lower_tri_self_transpose(matrix) -> matrix
symmetrize_from_lower_tri matrix_exp(matrix) -> matrix
mdivide_left_tri_low mdivide_left_spd(matrix, vector) -> vector
mdivide_left_tri_low mdivide_left_spd(matrix, matrix) -> matrix
mdivide_right_tri_low mdivide_right_spd(row_vector, matrix) -> row_vector
mdivide_right_tri_low mdivide_right_spd(matrix, matrix) -> matrix
quad_form quad_form_sym(matrix, vector) -> real
quad_form quad_form_sym(matrix, matrix) -> matrix
quad_form_diag(matrix, vector|row_vector) -> matrix
trace_quad_form(matrix, vector|matrix) -> real
trace_dot(matrix, matrix) -> real
trace_gen_quad_form(matrix, matrix, matrix) -> real
eigenvalues_sym singular_values(matrix) -> vector
eigenvectors_sym svd_U svd_V qr_Q qr_R qr_thin_Q qr_thin_R(matrix) -> matrix
gp_exp_quad_cov cov_exp_quad gp_exponential_cov gp_matern32_cov gp_matern52_cov(real[]|vector[], real, real) -> matrix
gp_exp_quad_cov cov_exp_quad gp_exponential_cov gp_matern32_cov gp_matern52_cov(real[], real[], real, real) -> matrix
gp_exp_quad_cov cov_exp_quad gp_exponential_cov gp_matern32_cov gp_matern52_cov(vector[], vector[], real, real) -> matrix
gp_exp_quad_cov gp_exponential_cov gp_matern32_cov gp_matern52_cov(vector[], real, real[]) -> matrix
gp_exp_quad_cov gp_exponential_cov gp_matern32_cov gp_matern52_cov(vector[], vector[], real, real[]) -> matrix
gp_periodic_cov(real[]|vector[], real, real, real) -> matrix
gp_periodic_cov(real[], real[], real, real, real) -> matrix
gp_periodic_cov(vector[], vector[], real, real, real) -> matrix
gp_dot_prod_cov(real[]|vector[], real) -> matrix
gp_dot_prod_cov(real[], real[], real) -> matrix
gp_dot_prod_cov(vector[], vector[], real) -> matrix
csr_matrix_times_vector(int, int, vector, int[], int[], vector) -> vector
csr_to_dense_matrix(int, int, vector, int[], int[]) -> matrix
csr_extract(matrix) -> tuple(vector, int[], int[])
eigendecompose_sym(matrix) -> tuple(matrix, vector)
qr qr_thin(matrix) -> tuple(matrix, matrix)
svd(matrix) -> tuple(matrix, vector, matrix)
csr_extract_w(matrix) -> vector
csr_extract_u csr_extract_v(matrix) -> int[]
matrix_exp_multiply(matrix, matrix) -> matrix
scale_matrix_exp_multiply(real, matrix, matrix) -> matrix
hmm_marginal(matrix, matrix, vector) -> real
hmm_hidden_state_prob(data matrix, data matrix, data vector) -> matrix
`;
