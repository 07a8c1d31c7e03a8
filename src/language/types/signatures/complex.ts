/** Complex numbers, vectors and matrices (Stan functions reference, "Complex-valued basic functions", "Complex matrix operations"). */
import { containers as realContainers } from './containers.ts';
import { matrices as realMatrices } from './matrices.ts';
import { readTable } from './notation.ts';
import { operators } from './operators.ts';

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
proj(complex) -> complex
polar(real, real) -> complex
exp log log10 sqrt(complex) -> complex
sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh(complex) -> complex
add subtract multiply divide(complex, complex) -> complex
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
    `rows cols num_elements(${type}) -> int`,
    `sum prod(${type}) -> complex`,
  ];
});

/** Functions whose complex forms are their real ones with complex types throughout. */
const alike: ReadonlySet<string> = new Set(
  `plus logical_eq logical_neq transpose mdivide_right dot_product dot_self columns_dot_product columns_dot_self
  rows_dot_product rows_dot_self diag_pre_multiply diag_post_multiply add_diag diagonal diag_matrix trace
  symmetrize_from_lower_tri rep_vector rep_row_vector rep_matrix append_row append_col head tail segment reverse
  cumulative_sum row col sub_row sub_col block to_vector to_row_vector to_matrix to_array_1d to_array_2d
  eigenvalues_sym eigenvectors_sym eigendecompose_sym svd_U svd_V`.split(/\s+/),
);

/** `complex|complex_vector` for `int[]|real|vector`. */
const complexOf = (types: string): string =>
  types
    .replace(/int\[,*\]\|/g, '')
    .replace(/\b(real|vector|row_vector|matrix)\b/g, (type) =>
      type === 'real' ? 'complex' : `complex_${type}`,
    );

const likeReal = [operators, realContainers, realMatrices]
  .flatMap(readTable)
  .flatMap(({ names, arguments: types, result }) => {
    const own = names.filter((name) => alike.has(name));
    const isReal = /real|vector|matrix/.test(types);
    return isReal && own.length > 0
      ? [`${own.join(' ')}(${complexOf(types)}) -> ${complexOf(result)}`]
      : [];
  });

const matrices = `
multiply(complex_vector, complex_row_vector) -> complex_matrix
multiply(complex_row_vector, complex_vector) -> complex
multiply(complex_row_vector, complex_matrix) -> complex_row_vector
multiply(complex_matrix, complex_vector) -> complex_vector
multiply(complex_matrix, complex_matrix) -> complex_matrix
sum prod(complex[]) -> complex
fft inv_fft(complex_vector) -> complex_vector
fft2 inv_fft2(complex_matrix) -> complex_matrix
eigenvalues(matrix) -> complex_vector
eigenvalues(complex_matrix) -> complex_vector
eigenvectors(matrix) -> complex_matrix
eigenvectors(complex_matrix) -> complex_matrix
eigendecompose(matrix) -> tuple(complex_matrix, complex_vector)
eigendecompose(complex_matrix) -> tuple(complex_matrix, complex_vector)
complex_schur_decompose_t complex_schur_decompose_u(matrix) -> complex_matrix
complex_schur_decompose_t complex_schur_decompose_u(complex_matrix) -> complex_matrix
complex_schur_decompose(matrix) -> tuple(complex_matrix, complex_matrix)
complex_schur_decompose(complex_matrix) -> tuple(complex_matrix, complex_matrix)
singular_values(complex_matrix) -> vector
svd(complex_matrix) -> tuple(complex_matrix, vector, complex_matrix)
`;

export const complex = [...ofElements, scalars, ...containers, ...likeReal, matrices].join('\n');
