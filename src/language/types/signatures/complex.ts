/** Complex numbers, vectors and matrices (Stan functions reference, "Complex-valued basic functions", "Complex matrix operations"). */

/** Stan applies functions of all elements to arrays of up to seven dimensions. */
const maxArrayDepth = 7;

/** Each complex type next to the type of its real parts: `complex_vector[]` and `vector[]`. */
const pairs = ['real', 'vector', 'row_vector', 'matrix'].flatMap((real) =>
  Array.from({ length: maxArrayDepth + 1 }, (_, depth) => {
    const brackets = depth === 0 ? '' : `[${','.repeat(depth - 1)}]`;
    const complex = real === 'real' ? 'complex' : `complex_${real}`;
    return { real: `${real}${brackets}`, complex: `${complex}${brackets}` };
  }),
);

const ofElements = pairs.flatMap(({ real, complex }) => {
  const isScalar = complex === 'complex';
  return [
    `get_real get_imag abs(${complex}) -> ${real}`,
    `conj minus(${complex}) -> ${complex}`,
    `pow(${complex}, ${complex}) -> ${complex}`,
    `to_complex(${real}, ${real}) -> ${complex}`,
    ...(isScalar
      ? []
      : [
          `pow(${complex}, complex) -> ${complex}`,
          `pow(complex, ${complex}) -> ${complex}`,
          `to_complex(${real}, real) -> ${complex}`,
          `to_complex(real, ${real}) -> ${complex}`,
        ]),
  ];
});

const scalars = `
to_complex() -> complex
to_complex(real) -> complex
arg norm(complex) -> real
plus proj(complex) -> complex
polar(real, real) -> complex
exp log log10 sqrt(complex) -> complex
sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh(complex) -> complex
add subtract multiply divide(complex, complex) -> complex
logical_eq logical_neq(complex, complex) -> int
elt_multiply elt_divide(complex, complex) -> complex
dims(complex) -> int[]
`;

/** Operators and functions that take a container with another, or with a number. */
const containers = ['vector', 'row_vector', 'matrix'].flatMap((shape) => {
  const type = `complex_${shape}`;
  return [
    `add subtract elt_multiply elt_divide(${type}, complex|${type}) -> ${type}`,
    `add subtract elt_multiply elt_divide multiply divide(complex, ${type}) -> ${type}`,
    `multiply divide(${type}, complex) -> ${type}`,
    `plus(${type}) -> ${type}`,
    `rows cols num_elements(${type}) -> int`,
    `sum prod(${type}) -> complex`,
  ];
});

const vectors = ['vector', 'row_vector'].flatMap((shape) => {
  const type = `complex_${shape}`;
  return [
    `head tail(${type}, int) -> ${type}`,
    `segment(${type}, int, int) -> ${type}`,
    `reverse cumulative_sum(${type}) -> ${type}`,
    `rep_${shape}(complex, int) -> ${type}`,
  ];
});

const matrices = `
transpose(complex_vector) -> complex_row_vector
transpose(complex_row_vector) -> complex_vector
transpose(complex_matrix) -> complex_matrix
multiply(complex_vector, complex_row_vector) -> complex_matrix
multiply(complex_row_vector, complex_vector) -> complex
multiply(complex_row_vector, complex_matrix) -> complex_row_vector
multiply(complex_matrix, complex_vector) -> complex_vector
multiply(complex_matrix, complex_matrix) -> complex_matrix
mdivide_right(complex_row_vector, complex_matrix) -> complex_row_vector
mdivide_right(complex_matrix, complex_matrix) -> complex_matrix
dot_product(complex_vector|complex_row_vector, complex_vector|complex_row_vector) -> complex
dot_product(complex[], complex[]) -> complex
dot_self(complex_vector|complex_row_vector) -> complex
columns_dot_product(complex_vector, complex_vector) -> complex_row_vector
columns_dot_product(complex_row_vector, complex_row_vector) -> complex_row_vector
columns_dot_product(complex_matrix, complex_matrix) -> complex_row_vector
columns_dot_self(complex_vector|complex_row_vector|complex_matrix) -> complex_row_vector
rows_dot_product(complex_vector, complex_vector) -> complex_vector
rows_dot_product(complex_row_vector, complex_row_vector) -> complex_vector
rows_dot_product(complex_matrix, complex_matrix) -> complex_vector
rows_dot_self(complex_vector|complex_row_vector|complex_matrix) -> complex_vector
diag_pre_multiply(complex_vector|complex_row_vector, complex_matrix) -> complex_matrix
diag_post_multiply(complex_matrix, complex_vector|complex_row_vector) -> complex_matrix
add_diag(complex_matrix, complex|complex_vector|complex_row_vector) -> complex_matrix
diagonal(complex_matrix) -> complex_vector
diag_matrix(complex_vector) -> complex_matrix
trace(complex_matrix) -> complex
symmetrize_from_lower_tri(complex_matrix) -> complex_matrix
rep_matrix(complex, int, int) -> complex_matrix
rep_matrix(complex_vector|complex_row_vector, int) -> complex_matrix
append_row(complex, complex_vector) -> complex_vector
append_row(complex_vector, complex|complex_vector) -> complex_vector
append_row(complex_row_vector, complex_row_vector|complex_matrix) -> complex_matrix
append_row(complex_matrix, complex_row_vector|complex_matrix) -> complex_matrix
append_col(complex, complex_row_vector) -> complex_row_vector
append_col(complex_row_vector, complex|complex_row_vector) -> complex_row_vector
append_col(complex_vector, complex_vector|complex_matrix) -> complex_matrix
append_col(complex_matrix, complex_vector|complex_matrix) -> complex_matrix
row(complex_matrix, int) -> complex_row_vector
col(complex_matrix, int) -> complex_vector
sub_row(complex_matrix, int, int, int) -> complex_row_vector
sub_col(complex_matrix, int, int, int) -> complex_vector
block(complex_matrix, int, int, int, int) -> complex_matrix
to_vector(complex_vector|complex_row_vector|complex_matrix|complex[]) -> complex_vector
to_row_vector(complex_vector|complex_row_vector|complex_matrix|complex[]) -> complex_row_vector
to_matrix(complex_vector|complex_row_vector|complex_matrix) -> complex_matrix
to_matrix(complex_row_vector[]|complex[,]) -> complex_matrix
to_matrix(complex_vector|complex_row_vector|complex_matrix|complex[], int, int) -> complex_matrix
to_matrix(complex_vector|complex_row_vector|complex_matrix|complex[], int, int, int) -> complex_matrix
to_array_1d(complex_vector|complex_row_vector|complex_matrix) -> complex[]
to_array_1d(complex[]|complex[,]|complex[,,]|complex[,,,]) -> complex[]
to_array_2d(complex_matrix) -> complex[,]
sum prod(complex[]) -> complex
cumulative_sum(complex[]) -> complex[]
fft inv_fft(complex_vector) -> complex_vector
fft2 inv_fft2(complex_matrix) -> complex_matrix
eigenvalues(matrix) -> complex_vector
eigenvalues(complex_matrix) -> complex_vector
eigenvectors(matrix) -> complex_matrix
eigenvectors(complex_matrix) -> complex_matrix
eigendecompose(matrix) -> tuple(complex_matrix, complex_vector)
eigendecompose(complex_matrix) -> tuple(complex_matrix, complex_vector)
eigenvalues_sym(complex_matrix) -> complex_vector
eigenvectors_sym(complex_matrix) -> complex_matrix
eigendecompose_sym(complex_matrix) -> tuple(complex_matrix, complex_vector)
complex_schur_decompose_t complex_schur_decompose_u(matrix) -> complex_matrix
complex_schur_decompose_t complex_schur_decompose_u(complex_matrix) -> complex_matrix
complex_schur_decompose(matrix) -> tuple(complex_matrix, complex_matrix)
complex_schur_decompose(complex_matrix) -> tuple(complex_matrix, complex_matrix)
singular_values(complex_matrix) -> vector
svd_U svd_V(complex_matrix) -> complex_matrix
svd(complex_matrix) -> tuple(complex_matrix, vector, complex_matrix)
`;

export const complex = [...ofElements, scalars, ...containers, ...vectors, matrices].join('\n');
