/**
 * What expressions of tuples and complex numbers are lowered to: one expression for each leaf. One long file: every kind of
 * leaf is tried in the same program.
 */
import { describe, expect, it } from 'vitest';
import type { IrExpression } from '../../../src/language/lower/ir.ts';
import { lowerComplex } from '../../../src/language/lower/lower-complex.ts';
import { lowerMember, lowerParts } from '../../../src/language/lower/lower-tuples.ts';
import { LoweringScope } from '../../../src/language/lower/scope.ts';
import type { Expression } from '../../../src/language/syntax/ast.ts';
import { modelOf, outputsAt } from '../../support/stan-program.ts';
import { linesOf, lowered, printing } from './ir-text.ts';

describe('an expression of several leaves', () => {
  it.each<[string, string, ...string[]]>([
    ['2i', 'complex pack(0.0, 2.0)'],
    ['-z', 'complex pack(real minus(z.real), real minus(z.imag))'],
    ['+z', 'complex pack(z.real, z.imag)'],
    ["zv'", 'complex_row_vector pack((row_vector) zv[*].real, (row_vector) zv[*].imag)'],
    ['z + 1', 'complex pack(real add(z.real, 1), z.imag)'],
    ['z - p', 'complex pack(real subtract(z.real, p), z.imag)'],
    ['1 - z', 'complex pack(real subtract(1, z.real), real minus(z.imag))'],
    ['z * p', 'complex pack(real multiply(z.real, p), real multiply(z.imag, p))'],
    ['p * z', 'complex pack(real multiply(p, z.real), real multiply(p, z.imag))'],
    [
      'z * z',
      'complex pack(real subtract(real multiply(z.real, z.real), real multiply(z.imag, z.imag)), real add(real multiply(z.real, z.imag), real multiply(z.imag, z.real)))',
    ],
    ['z / 2', 'complex pack(real divide(z.real, 2.0), real divide(z.imag, 2.0))'],
    [
      'z / z',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_divide(z.real, z.imag, z.real, z.imag)',
    ],
    [
      '2 / z',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_divide(2.0, 0.0, z.real, z.imag)',
    ],
    [
      'z ^ 2',
      'complex pack(real subtract(real multiply(z.real, z.real), real multiply(z.imag, z.imag)), real add(real multiply(z.real, z.imag), real multiply(z.imag, z.real)))',
    ],
    [
      'z ^ p',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_pow(z.real, z.imag, p, 0.0)',
    ],
    [
      'zv .* zv',
      'complex_vector pack(vector subtract(vector elt_multiply(zv[*].real, zv[*].real), vector elt_multiply(zv[*].imag, zv[*].imag)), vector add(vector elt_multiply(zv[*].real, zv[*].imag), vector elt_multiply(zv[*].imag, zv[*].real)))',
    ],
    [
      'zv ./ z',
      'complex_vector pack(value[*].real, value[*].imag)',
      'local vector value[*].real, local vector value[*].imag := tuple(vector, vector) user complex_elt_divide(zv[*].real, zv[*].imag, z.real, z.imag)',
    ],
    [
      'zv .^ 2',
      'complex_vector pack(vector subtract(vector elt_multiply(zv[*].real, zv[*].real), vector elt_multiply(zv[*].imag, zv[*].imag)), vector add(vector elt_multiply(zv[*].real, zv[*].imag), vector elt_multiply(zv[*].imag, zv[*].real)))',
    ],
    [
      'zm * zv',
      'complex_vector pack(vector subtract(vector multiply(zm[*,*].real, zv[*].real), vector multiply(zm[*,*].imag, zv[*].imag)), vector add(vector multiply(zm[*,*].real, zv[*].imag), vector multiply(zm[*,*].imag, zv[*].real)))',
    ],
    [
      'zr * zv',
      'complex pack(real subtract(real dot_product(zr[*].real, zv[*].real), real dot_product(zr[*].imag, zv[*].imag)), real add(real dot_product(zr[*].real, zv[*].imag), real dot_product(zr[*].imag, zv[*].real)))',
    ],
    [
      'zv * zr',
      'complex_matrix pack(matrix subtract(matrix $outer_product(zv[*].real, zr[*].real), matrix $outer_product(zv[*].imag, zr[*].imag)), matrix add(matrix $outer_product(zv[*].real, zr[*].imag), matrix $outer_product(zv[*].imag, zr[*].real)))',
    ],
    [
      'zm / 2',
      'complex_matrix pack(matrix divide(zm[*,*].real, 2.0), matrix divide(zm[*,*].imag, 2.0))',
    ],
    [
      'zm / zm',
      'complex_matrix pack(value[*,*].real, value[*,*].imag)',
      'local matrix value[*,*].real, local matrix value[*,*].imag := tuple(matrix, matrix) user complex_mdivide_right(zm[*,*].real, zm[*,*].imag, zm[*,*].real, zm[*,*].imag)',
    ],
    [
      'zr / zm',
      'complex_row_vector pack(value[*].real, value[*].imag)',
      'local row_vector value[*].real, local row_vector value[*].imag := tuple(row_vector, row_vector) user complex_mdivide_right(zr[*].real, zr[*].imag, zm[*,*].real, zm[*,*].imag)',
    ],
    [
      'zm .* zm',
      'complex_matrix pack(matrix subtract(matrix elt_multiply(zm[*,*].real, zm[*,*].real), matrix elt_multiply(zm[*,*].imag, zm[*,*].imag)), matrix add(matrix elt_multiply(zm[*,*].real, zm[*,*].imag), matrix elt_multiply(zm[*,*].imag, zm[*,*].real)))',
    ],
    ['zv + 1', 'complex_vector pack(vector add(zv[*].real, 1), zv[*].imag)'],
    ['zv + y', 'complex_vector pack(vector add(zv[*].real, y), zv[*].imag)'],
    ['y + zv', 'complex_vector pack(vector add(y, zv[*].real), zv[*].imag)'],
    ['y - zv', 'complex_vector pack(vector subtract(y, zv[*].real), vector minus(zv[*].imag))'],
    ["zm'", 'complex_matrix pack(matrix transpose(zm[*,*].real), matrix transpose(zm[*,*].imag))'],
    ['z == 2', '((z.real === 2.0) and (z.imag === 0.0))'],
    [
      'z != cs[1]',
      '((z.real !== real cs[*].real[1] of "cs") or (z.imag !== real cs[*].imag[1] of "cs"))',
    ],
    ['zv[1]', 'complex pack(real zv[*].real[1] of "zv", real zv[*].imag[1] of "zv")'],
    [
      'zv[1:2]',
      'complex_vector pack(vector zv[*].real[1:2] of "zv", vector zv[*].imag[1:2] of "zv")',
    ],
    ['zm[1, 2]', 'complex pack(real zm[*,*].real[1, 2] of "zm", real zm[*,*].imag[1, 2] of "zm")'],
    [
      'zm[1]',
      'complex_row_vector pack(row_vector zm[*,*].real[1] of "zm", row_vector zm[*,*].imag[1] of "zm")',
    ],
    [
      'zm[fi(1)]',
      'complex_row_vector pack(row_vector zm[*,*].real[value] of "zm", row_vector zm[*,*].imag[value] of "zm")',
      'local int value := int user fi(1)',
    ],
    [
      'zm[fi(1):fi(2)]',
      'complex_matrix pack(matrix zm[*,*].real[value:value#2] of "zm", matrix zm[*,*].imag[value:value#2] of "zm")',
      'local int value := int user fi(1)',
      'local int value#2 := int user fi(2)',
    ],
    [
      'zm[fi(1):]',
      'complex_matrix pack(matrix zm[*,*].real[value:] of "zm", matrix zm[*,*].imag[value:] of "zm")',
      'local int value := int user fi(1)',
    ],
    [
      'zm[:fi(1)]',
      'complex_matrix pack(matrix zm[*,*].real[:value] of "zm", matrix zm[*,*].imag[:value] of "zm")',
      'local int value := int user fi(1)',
    ],
    [
      'zm[k]',
      'complex_matrix pack(matrix zm[*,*].real[multiple k] of "zm", matrix zm[*,*].imag[multiple k] of "zm")',
    ],
    [
      'zm[fk(k)]',
      'complex_matrix pack(matrix zm[*,*].real[multiple value] of "zm", matrix zm[*,*].imag[multiple value] of "zm")',
      'local array[] int value := array[] int user fk(k)',
    ],
    [
      'zm[ , 1]',
      'complex_vector pack(vector zm[*,*].real[all, 1] of "zm", vector zm[*,*].imag[all, 1] of "zm")',
    ],
    ['cs[n]', 'complex pack(real cs[*].real[n] of "cs", real cs[*].imag[n] of "cs")'],
    ['at[n]', 'tuple(real, vector) pack(real at[*].1[n] of "at", vector at[*].2[n] of "at")'],
    [
      'at[fi(n)]',
      'tuple(real, vector) pack(real at[*].1[value] of "at", vector at[*].2[value] of "at")',
      'local int value := int user fi(n)',
    ],
    ['atc[1].2', 'complex pack(real atc[*].2.real[1] of "atc", real atc[*].2.imag[1] of "atc")'],
    [
      'atc[1]',
      'tuple(real, complex) pack(real atc[*].1[1] of "atc", real atc[*].2.real[1] of "atc", real atc[*].2.imag[1] of "atc")',
    ],
    [
      'atc[k]',
      'array[] tuple(real, complex) pack(array[] real atc[*].1[multiple k] of "atc", array[] real atc[*].2.real[multiple k] of "atc", array[] real atc[*].2.imag[multiple k] of "atc")',
    ],
    [
      'a2[1]',
      'array[] tuple(real, complex) pack(array[] real a2[*,*].1[1] of "a2", array[] real a2[*,*].2.real[1] of "a2", array[] real a2[*,*].2.imag[1] of "a2")',
    ],
    [
      'a2[1, 2]',
      'tuple(real, complex) pack(real a2[*,*].1[1, 2] of "a2", real a2[*,*].2.real[1, 2] of "a2", real a2[*,*].2.imag[1, 2] of "a2")',
    ],
    [
      'a2[1][2]',
      'tuple(real, complex) pack(real a2[*,*].1[1, 2] of "a2", real a2[*,*].2.real[1, 2] of "a2", real a2[*,*].2.imag[1, 2] of "a2")',
    ],
    [
      'a2[1][2].2',
      'complex pack(real a2[*,*].2.real[1, 2] of "a2", real a2[*,*].2.imag[1, 2] of "a2")',
    ],
    ['tt', 'tuple(int, tuple(real, array[] vector)) pack(tt.1, tt.2.1, tt.2.2)'],
    ['tt.2', 'tuple(real, array[] vector) pack(tt.2.1, tt.2.2)'],
    ['tt.2.2', 'tt.2.2'],
    ['(1, p)', 'tuple(int, real) pack(1, p)'],
    ['(1, (p, 2i))', 'tuple(int, tuple(real, complex)) pack(1, p, 0.0, 2.0)'],
    ['((p, z), 3).1', 'tuple(real, complex) pack(p, z.real, z.imag)'],
    [
      '{(1, 2i), (p, 3)}',
      'array[] tuple(real, complex) pack(array[] real {1, p}, array[] real {0.0, 3.0}, array[] real {2.0, 0.0})',
    ],
    ['{z, 2}', 'array[] complex pack(array[] real {z.real, 2.0}, array[] real {z.imag, 0.0})'],
    ['{1, z}', 'array[] complex pack(array[] real {1.0, z.real}, array[] real {0.0, z.imag})'],
    ['[z, 2]', 'complex_row_vector pack(row_vector {z.real, 2.0}, row_vector {z.imag, 0.0})'],
    [
      "[2i, p, 1]'",
      'complex_vector pack((vector) value, (vector) value#2)',
      'local row_vector value := row_vector {0.0, p, 1.0}',
      'local row_vector value#2 := row_vector {2.0, 0.0, 0.0}',
    ],
    [
      '[[z, 1], [2, z]]',
      'complex_matrix pack(matrix {row_vector {z.real, 1.0}, row_vector {2.0, z.real}}, matrix {row_vector {z.imag, 0.0}, row_vector {0.0, z.imag}})',
    ],
    [
      '[zr, zr]',
      'complex_matrix pack(matrix {zr[*].real, zr[*].real}, matrix {zr[*].imag, zr[*].imag})',
    ],
    ['n > 0 ? z : 2', 'complex pack(real ((n > 0) ? z.real : 2.0), real ((n > 0) ? z.imag : 0.0))'],
    [
      'n > 0 ? (1, 2i) : (2, 3)',
      'tuple(int, complex) pack(int ((n > 0) ? 1 : 2), real ((n > 0) ? 0.0 : 3.0), real ((n > 0) ? 2.0 : 0.0))',
    ],
    [
      'fi(n) ? z : 2',
      'complex pack(real (value ? z.real : 2.0), real (value ? z.imag : 0.0))',
      'local int value := int user fi(n)',
    ],
    [
      'fi(n) ? fc(z) : z',
      'complex pack(real (value ? value.real : z.real), real (value ? value.imag : z.imag))',
      'local int value := int user fi(n)',
      'local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag) where value',
    ],
    [
      'n > 0 ? (n > 1 ? fc(z) : z) : fc(p)',
      'complex pack(real ((n > 0) ? real ((n > 1) ? value.real : z.real) : value.real#2), real ((n > 0) ? real ((n > 1) ? value.imag : z.imag) : value.imag#2))',
      'local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag) where ((n > 0) and (n > 1))',
      'local real value.real#2, local real value.imag#2 := tuple(real, real) user fc(p, 0.0) where not (n > 0)',
    ],
    [
      'ht(p)',
      'tuple(real, complex) pack(value.1, value.2.real, value.2.imag)',
      'local real value.1, local real value.2.real, local real value.2.imag := tuple(real, complex) user ht(p)',
    ],
    [
      'ht(p).2',
      'complex pack(value.2.real, value.2.imag)',
      'local real value.1, local real value.2.real, local real value.2.imag := tuple(real, complex) user ht(p)',
    ],
    ['ht(p).1', 'real tuple(real, complex) user ht(p).0'],
    [
      'fa(cs)',
      'array[] complex pack(value[*].real, value[*].imag)',
      'local array[] real value[*].real, local array[] real value[*].imag := tuple(array[] real, array[] real) user fa(cs[*].real, cs[*].imag)',
    ],
    [
      'fa({p, 2})',
      'array[] complex pack(value[*].real, value[*].imag)',
      'local array[] real value := array[] real {p, 2}',
      'local array[] real value[*].real, local array[] real value[*].imag := tuple(array[] real, array[] real) user fa(value, array[] real zeros(value))',
    ],
    [
      'fa({1, 2})',
      'array[] complex pack(value[*].real, value[*].imag)',
      'local array[] int value := array[] int {1, 2}',
      'local array[] real value#2 := value',
      'local array[] real value[*].real, local array[] real value[*].imag := tuple(array[] real, array[] real) user fa(value#2, array[] real zeros(value#2))',
    ],
    [
      'fa(k)',
      'array[] complex pack(value[*].real, value[*].imag)',
      'local array[] real value := k',
      'local array[] real value[*].real, local array[] real value[*].imag := tuple(array[] real, array[] real) user fa(value, array[] real zeros(value))',
    ],
    [
      'fc(n)',
      'complex pack(value.real, value.imag)',
      'local real value := n',
      'local real value.real, local real value.imag := tuple(real, real) user fc(value, 0.0)',
    ],
    [
      'fc(fi(n))',
      'complex pack(value.real, value.imag)',
      'local int value := int user fi(n)',
      'local real value#2 := value',
      'local real value.real, local real value.imag := tuple(real, real) user fc(value#2, 0.0)',
    ],
    ['qr(m)', 'tuple(matrix, matrix) pack(matrix qr_Q(m), matrix qr_R(m))'],
    ['qr_thin(m).2', 'matrix qr_thin_R(m)'],
    ['svd(m + 1).1', 'matrix svd_U(value)', 'local matrix value := matrix add(m, 1)'],
    [
      'csr_extract(m)',
      'tuple(vector, array[] int, array[] int) pack(vector csr_extract_w(m), array[] int csr_extract_v(m), array[] int csr_extract_u(m))',
    ],
    [
      "eigendecompose(m * m')",
      'tuple(complex_matrix, complex_vector) pack(matrix value#2[:value#3] of "eigenvectors", matrix value#2[int add(value#3, 1):] of "eigenvectors", vector value#4[:value#5] of "eigenvalues", vector value#4[int add(value#5, 1):] of "eigenvalues")',
      'local matrix value := matrix multiply(m, matrix transpose(m))',
      'local matrix value#2 := matrix $eigenvectors(value, matrix zeros(value))',
      'local int value#3 := int divide(int rows(value#2), 2)',
      'local vector value#4 := vector $eigenvalues(value, matrix zeros(value))',
      'local int value#5 := int divide(int length(value#4), 2)',
    ],
    [
      'eigendecompose(zm)',
      'tuple(complex_matrix, complex_vector) pack(matrix value[:value#2] of "eigenvectors", matrix value[int add(value#2, 1):] of "eigenvectors", vector value#3[:value#4] of "eigenvalues", vector value#3[int add(value#4, 1):] of "eigenvalues")',
      'local matrix value := matrix $eigenvectors(zm[*,*].real, zm[*,*].imag)',
      'local int value#2 := int divide(int rows(value), 2)',
      'local vector value#3 := vector $eigenvalues(zm[*,*].real, zm[*,*].imag)',
      'local int value#4 := int divide(int length(value#3), 2)',
    ],
    [
      'eigendecompose_sym(zm).2',
      'complex_vector pack(value#3, vector zeros(value#3))',
      'local matrix value := matrix $hermitian_vectors(zm[*,*].real, zm[*,*].imag)',
      'local int value#2 := int divide(int rows(value), 2)',
      'local vector value#3 := vector $hermitian_values(zm[*,*].real, zm[*,*].imag)',
    ],
    [
      'complex_schur_decompose(zm)',
      'tuple(complex_matrix, complex_matrix) pack(matrix value[:value#2] of "complex_schur_decompose_u", matrix value[int add(value#2, 1):] of "complex_schur_decompose_u", matrix value#3[:value#4] of "complex_schur_decompose_t", matrix value#3[int add(value#4, 1):] of "complex_schur_decompose_t")',
      'local matrix value := matrix $schur_u(zm[*,*].real, zm[*,*].imag)',
      'local int value#2 := int divide(int rows(value), 2)',
      'local matrix value#3 := matrix $schur_t(zm[*,*].real, zm[*,*].imag)',
      'local int value#4 := int divide(int rows(value#3), 2)',
    ],
    [
      "eigenvalues(m * m')",
      'complex_vector pack(vector value#2[:value#3] of "eigenvalues", vector value#2[int add(value#3, 1):] of "eigenvalues")',
      'local matrix value := matrix multiply(m, matrix transpose(m))',
      'local vector value#2 := vector $eigenvalues(value, matrix zeros(value))',
      'local int value#3 := int divide(int length(value#2), 2)',
    ],
    ['to_complex(1, p)', 'complex pack(1.0, p)'],
    [
      'to_complex(n, y)',
      'complex_vector pack(value[*].real, value[*].imag)',
      'local vector value[*].real, local vector value[*].imag := tuple(vector, vector) user complex_to_complex(n, y)',
    ],
    ['to_complex()', 'complex pack(0.0, 0.0)'],
    ['to_complex(y, v)', 'complex_vector pack(y, v)'],
    [
      'to_complex({1, 2}, {3, 4})',
      'array[] complex pack(value#3, value#4)',
      'local array[] int value := array[] int {1, 2}',
      'local array[] int value#2 := array[] int {3, 4}',
      'local array[] real value#3 := value',
      'local array[] real value#4 := value#2',
    ],
    ['polar(1, p)', 'complex pack(real multiply(1, real cos(p)), real multiply(1, real sin(p)))'],
    ['conj(z)', 'complex pack(z.real, real minus(z.imag))'],
    [
      'proj(z)',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_proj(z.real, z.imag)',
    ],
    ['arg(z)', 'real atan2(z.imag, z.real)'],
    ['norm(z)', 'real add(real square(z.real), real square(z.imag))'],
    ['get_imag(zv)', 'zv[*].imag'],
    ['abs(zv)', 'vector hypot(zv[*].real, zv[*].imag)'],
    ['sum(cs)', 'complex pack(real sum(cs[*].real), real sum(cs[*].imag))'],
    [
      'prod(cs)',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_prod(array[] real to_array_1d(cs[*].real), array[] real to_array_1d(cs[*].imag))',
    ],
    [
      'exp(z)',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_exp(z.real, z.imag)',
    ],
    [
      'pow(z, 2)',
      'complex pack(real subtract(real multiply(z.real, z.real), real multiply(z.imag, z.imag)), real add(real multiply(z.real, z.imag), real multiply(z.imag, z.real)))',
    ],
    [
      'pow(cs, z)',
      'array[] complex pack(value[*].real, value[*].imag)',
      'local array[] real value[*].real, local array[] real value[*].imag := tuple(array[] real, array[] real) user complex_pow(cs[*].real, cs[*].imag, z.real, z.imag)',
    ],
    [
      'pow(z, 2.5)',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_pow(z.real, z.imag, 2.5, 0.0)',
    ],
    [
      'dot_product(zv, zv)',
      'complex pack(real subtract(real dot_product(zv[*].real, zv[*].real), real dot_product(vector minus(zv[*].imag), zv[*].imag)), real add(real dot_product(zv[*].real, zv[*].imag), real dot_product(vector minus(zv[*].imag), zv[*].real)))',
    ],
    [
      'dot_self(zv)',
      'complex pack(value, 0.0)',
      'local real value := real add(real dot_self(zv[*].real), real dot_self(zv[*].imag))',
    ],
    [
      'columns_dot_self(zm)',
      'complex_row_vector pack(value, row_vector zeros(value))',
      'local row_vector value := row_vector add(row_vector columns_dot_self(zm[*,*].real), row_vector columns_dot_self(zm[*,*].imag))',
    ],
    [
      'rows_dot_product(zm, zm)',
      'complex_vector pack(vector subtract(vector rows_dot_product(zm[*,*].real, zm[*,*].real), vector rows_dot_product(zm[*,*].imag, zm[*,*].imag)), vector add(vector rows_dot_product(zm[*,*].real, zm[*,*].imag), vector rows_dot_product(zm[*,*].imag, zm[*,*].real)))',
    ],
    [
      'diag_pre_multiply(zv, zm)',
      'complex_matrix pack(matrix subtract(matrix diag_pre_multiply(zv[*].real, zm[*,*].real), matrix diag_pre_multiply(zv[*].imag, zm[*,*].imag)), matrix add(matrix diag_pre_multiply(zv[*].real, zm[*,*].imag), matrix diag_pre_multiply(zv[*].imag, zm[*,*].real)))',
    ],
    [
      'diag_matrix(zv)',
      'complex_matrix pack(matrix diag_matrix(zv[*].real), matrix diag_matrix(zv[*].imag))',
    ],
    [
      'append_row(zv, zv)',
      'complex_vector pack(vector append_row(zv[*].real, zv[*].real), vector append_row(zv[*].imag, zv[*].imag))',
    ],
    [
      'append_row(z, zv)',
      'complex_vector pack(vector append_row(z.real, zv[*].real), vector append_row(z.imag, zv[*].imag))',
    ],
    [
      'append_array(cs, {z, 1})',
      'array[] complex pack(array[] real append_array(cs[*].real, value), array[] real append_array(cs[*].imag, value#2))',
      'local array[] real value := array[] real {z.real, 1.0}',
      'local array[] real value#2 := array[] real {z.imag, 0.0}',
    ],
    [
      'rep_vector(z, 2)',
      'complex_vector pack(vector rep_vector(z.real, 2), vector rep_vector(z.imag, 2))',
    ],
    [
      'rep_matrix(z, 2, 3)',
      'complex_matrix pack(matrix rep_matrix(z.real, 2, 3), matrix rep_matrix(z.imag, 2, 3))',
    ],
    [
      'to_array_1d(zm)',
      'array[] complex pack(array[] real to_array_1d(zm[*,*].real), array[] real to_array_1d(zm[*,*].imag))',
    ],
    ['size(zv)', 'int length(zv[*].real)'],
    ['rows(zm)', 'int rows(zm[*,*].real)'],
    ['dims(zm)', 'array[] int dims(zm[*,*].real)'],
    ['num_elements(zm)', 'int elements(zm[*,*].real)'],
    [
      'reverse(cs)',
      'array[] complex pack(array[] real reverse(cs[*].real), array[] real reverse(cs[*].imag))',
    ],
    [
      'symmetrize_from_lower_tri(zm)',
      'complex_matrix pack(value[*,*].real, value[*,*].imag)',
      'local matrix value[*,*].real, local matrix value[*,*].imag := tuple(matrix, matrix) user complex_symmetrize_from_lower_tri(zm[*,*].real, zm[*,*].imag)',
    ],
    [
      'fft(zv)',
      'complex_vector pack(vector value[:value#2] of "fft", vector value[int add(value#2, 1):] of "fft")',
      'local vector value := vector $fft(zv[*].real, zv[*].imag)',
      'local int value#2 := int divide(int length(value), 2)',
    ],
    [
      'fft(y)',
      'complex_vector pack(vector value[:value#2] of "fft", vector value[int add(value#2, 1):] of "fft")',
      'local vector value := vector $fft(y, vector zeros(y))',
      'local int value#2 := int divide(int length(value), 2)',
    ],
    [
      'inv_fft2(zm)',
      'complex_matrix pack(matrix value[:value#2] of "inv_fft2", matrix value[int add(value#2, 1):] of "inv_fft2")',
      'local matrix value := matrix $inv_fft2(zm[*,*].real, zm[*,*].imag)',
      'local int value#2 := int divide(int rows(value), 2)',
    ],
    [
      'eigenvalues_sym(zm)',
      'complex_vector pack(value, vector zeros(value))',
      'local vector value := vector $hermitian_values(zm[*,*].real, zm[*,*].imag)',
    ],
    ['singular_values(zm)', 'vector $complex_singular_values(zm[*,*].real, zm[*,*].imag)'],
    [
      'add_diag(zm, 1)',
      'complex_matrix pack(matrix add_diag(zm[*,*].real, 1.0), matrix add_diag(zm[*,*].imag, 0.0))',
    ],
    [
      'add_diag(zm, z)',
      'complex_matrix pack(matrix add_diag(zm[*,*].real, z.real), matrix add_diag(zm[*,*].imag, z.imag))',
    ],
    [
      'zv[1] * 2 + zv[2]',
      'complex pack(real add(value, real zv[*].real[2] of "zv"), real add(value#2, real zv[*].imag[2] of "zv"))',
      'local real value := real multiply(real zv[*].real[1] of "zv", 2.0)',
      'local real value#2 := real multiply(real zv[*].imag[1] of "zv", 2.0)',
    ],
    ['z - z', 'complex pack(real subtract(z.real, z.real), real subtract(z.imag, z.imag))'],
    [
      'cs[1] - p',
      'complex pack(real subtract(real cs[*].real[1] of "cs", p), real cs[*].imag[1] of "cs")',
    ],
    [
      'cumulative_sum(zv)',
      'complex_vector pack(vector cumulative_sum(zv[*].real), vector cumulative_sum(zv[*].imag))',
    ],
    ['head(zv, 2)', 'complex_vector pack(vector head(zv[*].real, 2), vector head(zv[*].imag, 2))'],
    ['trace(zm)', 'complex pack(real trace(zm[*,*].real), real trace(zm[*,*].imag))'],
    ['minus(z)', 'complex pack(real minus(z.real), real minus(z.imag))'],
    [
      'multiply(zm, p)',
      'complex_matrix pack(matrix multiply(zm[*,*].real, p), matrix multiply(zm[*,*].imag, p))',
    ],
    [
      'elt_divide(zv, zv)',
      'complex_vector pack(value[*].real, value[*].imag)',
      'local vector value[*].real, local vector value[*].imag := tuple(vector, vector) user complex_elt_divide(zv[*].real, zv[*].imag, zv[*].real, zv[*].imag)',
    ],
    [
      'elt_divide(y, zv)',
      'complex_vector pack(value[*].real, value[*].imag)',
      'local vector value[*].real, local vector value[*].imag := tuple(vector, vector) user complex_elt_divide(y, vector zeros(y), zv[*].real, zv[*].imag)',
    ],
    [
      'divide(zv, 2)',
      'complex_vector pack(vector divide(zv[*].real, 2.0), vector divide(zv[*].imag, 2.0))',
    ],
    [
      'divide(n, z)',
      'complex pack(value.real, value.imag)',
      'local real value := n',
      'local real value.real, local real value.imag := tuple(real, real) user complex_divide(value, 0.0, z.real, z.imag)',
    ],
    [
      'n * z',
      'complex pack(real multiply(value, z.real), real multiply(value, z.imag))',
      'local real value := n',
    ],
    [
      'fi(n) * z',
      'complex pack(real multiply(value#2, z.real), real multiply(value#2, z.imag))',
      'local int value := int user fi(n)',
      'local real value#2 := value',
    ],
    [
      'fi(n) + z',
      'complex pack(real add(value, z.real), z.imag)',
      'local int value := int user fi(n)',
    ],
    [
      'z ^ n',
      'complex pack(value.real, value.imag)',
      'local real value := n',
      'local real value.real, local real value.imag := tuple(real, real) user complex_pow(z.real, z.imag, value, 0.0)',
    ],
    [
      'atc[k][1]',
      'tuple(real, complex) pack(real array[] real atc[*].1[multiple k] of "atc"[1] of "atc", real array[] real atc[*].2.real[multiple k] of "atc"[1] of "atc", real array[] real atc[*].2.imag[multiple k] of "atc"[1] of "atc")',
    ],
    [
      'a2[1, k][2]',
      'tuple(real, complex) pack(real array[] real a2[*,*].1[1, multiple k] of "a2"[2] of "a2", real array[] real a2[*,*].2.real[1, multiple k] of "a2"[2] of "a2", real array[] real a2[*,*].2.imag[1, multiple k] of "a2"[2] of "a2")',
    ],
    [
      'zm[1:2][1]',
      'complex_row_vector pack(row_vector matrix zm[*,*].real[1:2] of "zm"[1] of "zm", row_vector matrix zm[*,*].imag[1:2] of "zm"[1] of "zm")',
    ],
    [
      'fi(n) ? reduce_sum_static(part_sum, fw(w), 1, 2) : 2',
      'real (value ? real ((int length(value#2) >= 1) ? real user part_sum(value#2, 1, int length(value#2), 2.0, 0.0) : 0.0) : 2)',
      'local int value := int user fi(n)',
      'local array[] real value#2 := array[] real user fw(w) where value',
    ],
    [
      'svd(zm)',
      'tuple(complex_matrix, vector, complex_matrix) pack(matrix value[:value#2] of "svd_U", matrix value[int add(value#2, 1):] of "svd_U", vector $complex_singular_values(zm[*,*].real, zm[*,*].imag), matrix value#3[:value#4] of "svd_V", matrix value#3[int add(value#4, 1):] of "svd_V")',
      'local matrix value := matrix $complex_svd_U(zm[*,*].real, zm[*,*].imag)',
      'local int value#2 := int divide(int rows(value), 2)',
      'local matrix value#3 := matrix $complex_svd_V(zm[*,*].real, zm[*,*].imag)',
      'local int value#4 := int divide(int rows(value#3), 2)',
    ],
    [
      'z ./ y',
      'complex_vector pack(value[*].real, value[*].imag)',
      'local vector value[*].real, local vector value[*].imag := tuple(vector, vector) user complex_elt_divide(z.real, z.imag, y, vector zeros(y))',
    ],
    [
      'pow(cs, 2)',
      'array[] complex pack(value[*].real, value[*].imag)',
      'local array[] real value[*].real, local array[] real value[*].imag := tuple(array[] real, array[] real) user complex_pow(cs[*].real, cs[*].imag, 2.0, 0.0)',
    ],
    [
      'pow(z, to_complex(2, 1))',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_pow(z.real, z.imag, 2.0, 1.0)',
    ],
    [
      'eigenvalues_sym(zm) * 2',
      'complex_vector pack(vector multiply(value, 2.0), vector multiply(vector zeros(value), 2.0))',
      'local vector value := vector $hermitian_values(zm[*,*].real, zm[*,*].imag)',
    ],
    [
      'norm(cs[n + 1])',
      'real add(real square(value), real square(value#2))',
      'local real value := real cs[*].real[int add(n, 1)] of "cs"',
      'local real value#2 := real cs[*].imag[int add(n, 1)] of "cs"',
    ],
    [
      'norm(zm[1, n + 1])',
      'real add(real square(value), real square(value#2))',
      'local real value := real zm[*,*].real[1, int add(n, 1)] of "zm"',
      'local real value#2 := real zm[*,*].imag[1, int add(n, 1)] of "zm"',
    ],
    [
      'norm(zm[n + 1, 1])',
      'real add(real square(value), real square(value#2))',
      'local real value := real zm[*,*].real[int add(n, 1), 1] of "zm"',
      'local real value#2 := real zm[*,*].imag[int add(n, 1), 1] of "zm"',
    ],
    ['to_complex(p)', 'complex pack(p, 0.0)'],
    [
      'dot_product(cs, cs)',
      'complex pack(real subtract(real dot_product(cs[*].real, cs[*].real), real dot_product(cs[*].imag, cs[*].imag)), real add(real dot_product(cs[*].real, cs[*].imag), real dot_product(cs[*].imag, cs[*].real)))',
    ],
    [
      'dot_product(y, zv)',
      'complex pack(real subtract(real dot_product(y, zv[*].real), real dot_product(vector minus(vector zeros(y)), zv[*].imag)), real add(real dot_product(y, zv[*].imag), real dot_product(vector minus(vector zeros(y)), zv[*].real)))',
    ],
    [
      'fft2(m)',
      'complex_matrix pack(matrix value[:value#2] of "fft2", matrix value[int add(value#2, 1):] of "fft2")',
      'local matrix value := matrix $fft2(m, matrix zeros(m))',
      'local int value#2 := int divide(int rows(value), 2)',
    ],
    [
      'z ./ z',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_divide(z.real, z.imag, z.real, z.imag)',
    ],
    [
      'elt_divide(z, z)',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user complex_divide(z.real, z.imag, z.real, z.imag)',
    ],
    [
      'elt_multiply(z, z)',
      'complex pack(real subtract(real elt_multiply(z.real, z.real), real elt_multiply(z.imag, z.imag)), real add(real elt_multiply(z.real, z.imag), real elt_multiply(z.imag, z.real)))',
    ],
    ['qr_thin(m)', 'tuple(matrix, matrix) pack(matrix qr_thin_Q(m), matrix qr_thin_R(m))'],
  ])('%s is %s', (e, value, ...before) => {
    expect(linesOf(lowered(printing(e)).model)).toEqual([...before, `print ${value}`]);
  });
});

it('a size in data takes its value from the call itself, since nothing can be computed before it', () => {
  const { data } = lowered(`data {
      int n;
      vector[to_int(get_real(exp(n * 1i)))] y;
      array[2] int k;
      vector[to_int(sum(get_real(to_complex(k, k))))] x;
    }`);
  const product = (i: string) => `real multiply(real multiply(1.0, n), ${i})`;
  const call = `tuple(real, real) user complex_exp(${product('0.0')}, ${product('1.0')})`;
  expect(linesOf(data)).toEqual([
    'data int n',
    `data vector y [; int to_int(real ${call}.0)]`,
    'data array[] int k [2; ]',
    'data vector x [; int to_int(real sum(k))]',
  ]);
});

describe('lowering refuses', () => {
  const scope = new LoweringScope([]);
  const span = { file: 0, start: 0, end: 0 };
  const complex = { base: 'complex', arrayDepth: 0 } as const;
  const unknown: Expression = { kind: 'variable', name: 'x', span };

  it('an unsupported expression of several parts', () => {
    expect(() => lowerParts(scope, { kind: 'target', span, type: complex })).toThrow(
      'refused: a target as a tuple',
    );
  });

  it('an unknown function of complex numbers', () => {
    const part: IrExpression = { op: 'real', value: 1, type: { base: 'real', arrayDepth: 0 } };
    const operation = { scope, name: 'phase', span, type: complex };
    expect(() => lowerComplex(operation, [{ type: complex, parts: [part, part] }])).toThrow(
      'refused: phase of complex numbers',
    );
  });

  it('a member of an expression without a type', () => {
    const member = { kind: 'member', base: unknown, position: 1, span } as const;
    const message = 'refused: a member of what has no type';
    expect(() => lowerParts(scope, { ...member, type: complex })).toThrow(message);
    const type = { base: 'real', arrayDepth: 0 } as const;
    expect(() => lowerMember(scope, { ...member, type })).toThrow(message);
  });
});

describe('code that draws random numbers', () => {
  const head = `functions {
      int f(int k) { return k; }
      array[] real same(array[] real x) { return x; }
      real total(array[] real x, int from, int to) { return sum(x); }
      matrix any_rng() { return to_matrix({uniform_rng(0, 1), 1, 1, uniform_rng(2, 3)}, 2, 2); }
    }
    data { array[2] tuple(real, real) t; array[2] real w; }`;
  const data = {
    t: [
      { 1: 5, 2: 6 },
      { 1: 7, 2: 8 },
    ],
    w: [1, 2],
  };
  const valuesOf = (statements: string) => {
    const model = modelOf(`${head} generated quantities { ${statements} }`, data);
    return Array.from({ length: 40 }, (_, seed) => outputsAt(model, new Float64Array(0), seed));
  };

  it.each([
    ['t[f(1)].1', 5],
    ['reduce_sum(total, same(w), 1)', 3],
  ])('draws a condition once, and uses %s only if it holds', (e, value) => {
    const drawn = valuesOf(`real x = bernoulli_rng(0.5) ? ${e} : 2;`).map(({ x }) => x);
    expect(new Set(drawn)).toEqual(new Set([2, value]));
  });

  it('uses the same matrix for all members of a decomposition', () => {
    const [first] = valuesOf(`matrix[2, 2] a;
      { tuple(complex_matrix[2, 2], complex_vector[2]) d = eigendecompose(any_rng());
        a = get_real(d.1 * diag_matrix(d.2) / d.1); }`);
    expect(first['a[1,2]']).toBeCloseTo(1, 10);
    expect(first['a[2,1]']).toBeCloseTo(1, 10);
  });
});
