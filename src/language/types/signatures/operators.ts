/** Operators, under the names of the functions they stand for. */
import type { BinaryOperator, Postfix, Unary } from '../../syntax/ast.ts';

export const binaryOperatorNames: Readonly<Record<BinaryOperator, readonly string[]>> = {
  '+': ['add'],
  '-': ['subtract'],
  '*': ['multiply'],
  // A matrix on the right means solving from the right.
  '/': ['divide', 'mdivide_right'],
  '%': ['modulus'],
  // For two ints only, which the checker enforces.
  '%/%': ['divide'],
  '\\': ['mdivide_left'],
  '^': ['pow'],
  '.*': ['elt_multiply'],
  './': ['elt_divide'],
  '.^': ['pow'],
  '||': ['logical_or'],
  '&&': ['logical_and'],
  '==': ['logical_eq'],
  '!=': ['logical_neq'],
  '<': ['logical_lt'],
  '<=': ['logical_lte'],
  '>': ['logical_gt'],
  '>=': ['logical_gte'],
};

export const unaryOperatorNames: Readonly<Record<Unary['operator'] | Postfix['operator'], string>> =
  { '-': 'minus', '+': 'plus', '!': 'logical_negation', "'": 'transpose' };

export const operators = `
add subtract(int, int) -> int
add subtract(real, real) -> real
add subtract(real, vector) -> vector
add subtract(real, row_vector) -> row_vector
add subtract(real, matrix) -> matrix
add subtract(vector, real|vector) -> vector
add subtract(row_vector, real|row_vector) -> row_vector
add subtract(matrix, real|matrix) -> matrix
multiply divide(int, int) -> int
multiply divide(real, real) -> real
multiply divide(real, vector) -> vector
multiply divide(real, row_vector) -> row_vector
multiply divide(real, matrix) -> matrix
multiply divide(vector, real) -> vector
multiply(vector, row_vector) -> matrix
multiply divide(row_vector, real) -> row_vector
multiply(row_vector, vector) -> real
multiply(row_vector, matrix) -> row_vector
multiply divide(matrix, real) -> matrix
multiply(matrix, vector) -> vector
multiply(matrix, matrix) -> matrix
elt_multiply elt_divide(int, int) -> int
elt_multiply elt_divide(real, real) -> real
elt_multiply elt_divide(real, vector) -> vector
elt_multiply elt_divide(real, row_vector) -> row_vector
elt_multiply elt_divide(real, matrix) -> matrix
elt_multiply elt_divide(vector, real|vector) -> vector
elt_multiply elt_divide(row_vector, real|row_vector) -> row_vector
elt_multiply elt_divide(matrix, real|matrix) -> matrix
modulus(int, int) -> int
mdivide_left(matrix, vector) -> vector
mdivide_left(matrix, matrix) -> matrix
mdivide_right(row_vector, matrix) -> row_vector
mdivide_right(matrix, matrix) -> matrix
matrix_power(matrix, int) -> matrix
minus(each_int) -> each_int
minus(each) -> each
plus(int) -> int
plus(real) -> real
plus(vector) -> vector
plus(row_vector) -> row_vector
plus(matrix) -> matrix
logical_negation(int) -> int
logical_or logical_and(real, real) -> int
logical_eq logical_neq logical_lt logical_lte logical_gt logical_gte(int, int) -> int
logical_eq logical_neq logical_lt logical_lte logical_gt logical_gte(real, real) -> int
transpose(vector) -> row_vector
transpose(row_vector) -> vector
transpose(matrix) -> matrix
`;
