/** What expressions are lowered to, and what is computed before their statement. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import {
  labelOf,
  lowerCall,
  lowerExpression,
} from '../../../src/language/lower/lower-expression.ts';
import { LoweringScope } from '../../../src/language/lower/scope.ts';
import type { Call, Expression, Print } from '../../../src/language/syntax/ast.ts';
import { linesOf, lowered, printing } from './ir-text.ts';

describe('an expression', () => {
  it.each<[string, string, ...string[]]>([
    ['3', '3'],
    ['2.5', '2.5'],
    ['p', 'p'],
    ['-3', '-3'],
    ['-2.5', '-2.5'],
    ['-p', 'real minus(p)'],
    ['-k[1]', 'int minus(int k[1] of "k")'],
    ['+p', 'p'],
    ['+3', '3'],
    ['!n', 'not n'],
    ['-(-3)', '3'],
    ['-(1 + 2)', 'int minus(int add(1, 2))'],
    ["m'", 'matrix transpose(m)'],
    ["y'", '(row_vector) y'],
    ['p + s', 'real add(p, s)'],
    ['p - s', 'real subtract(p, s)'],
    ['n + 1', 'int add(n, 1)'],
    ['n * n', 'int multiply(n, n)'],
    ['p * s', 'real multiply(p, s)'],
    ['n / 2', 'int divide(n, 2)'],
    ['n % 2', 'int modulus(n, 2)'],
    ['n %/% 2', 'int divide(n, 2)'],
    ['m \\ m', 'matrix mdivide_left(m, m)'],
    ['p ^ 2', 'real pow(p, 2)'],
    ['n ^ 2', 'real pow(n, 2)'],
    ['v .* y', 'vector elt_multiply(v, y)'],
    ['v ./ y', 'vector elt_divide(v, y)'],
    ['v .^ 2', 'vector pow(v, 2)'],
    ['p == s', '(p === s)'],
    ['p != s', '(p !== s)'],
    ['p < s', '(p < s)'],
    ['p <= s', '(p <= s)'],
    ['p > s', '(p > s)'],
    ['p >= s', '(p >= s)'],
    ['n && k[1]', '(n and int k[1] of "k")'],
    ['n || k[1]', '(n or int k[1] of "k")'],
    ['n > 0 ? p : s', 'real ((n > 0) ? p : s)'],
    ['n > 0 ? 1 : 2.5', 'real ((n > 0) ? 1 : 2.5)'],
    ['{p, s}', 'array[] real {p, s}'],
    ['{{1, 2}, {3, 4}}', 'array[,] int {array[] int {1, 2}, array[] int {3, 4}}'],
    ['[p, s]', 'row_vector {p, s}'],
    ['[[1, 2], [p, s]]', 'matrix {row_vector {1, 2}, row_vector {p, s}}'],
    ['target()', 'target'],
    ['pi()', '3.141592653589793'],
    ['log(p)', 'real log(p)'],
    ['f(p)', 'real user f(p)'],
    [
      'fc(p)',
      'complex pack(value.real, value.imag)',
      'local real value.real, local real value.imag := tuple(real, real) user fc(p, 0.0)',
    ],
    ['t2((1, 2))', 'real user t2(1, 2.0, 0.0)'],
    ['normal_lpdf(p | 0, 1)', 'real density normal_lpdf(p, 0, 1)'],
    ['normal_lupdf(p | 0, 1)', 'real density ~ normal_lpdf(p, 0, 1)'],
    ['poisson_lupmf(n | p)', 'real density ~ poisson_lpmf(n, p)'],
    ['normal_lcdf(p | 0, 1)', 'real density normal_lcdf(p, 0, 1)'],
    ['normal_cdf(p | 0, 1)', 'real density normal_cdf(p, 0, 1)'],
    ['normal_lccdf(p | 0, 1)', 'real density normal_lccdf(p, 0, 1)'],
    ['cpart_lupdf(cs | 1, 2)', 'real user ~ cpart_lpdf(cs[*].real, cs[*].imag, 1, 2)'],
    ['lower_bound_constrain(p, 0)', 'real mixed lower_bound_constrain(p, 0)'],
    ['hypergeometric_1F0(p, 0.1)', 'real mixed hypergeometric_1F0(p, 0.1)'],
    ['beta_binomial_lpmf(n | 10, p, 1)', 'real density beta_binomial_lpmf(n, 10, p, 1)'],
    [
      'reduce_sum(part_sum, w, 1, p)',
      'real ((int length(w) >= 1) ? real user part_sum(w, 1, int length(w), p, 0.0) : 0.0)',
    ],
    [
      'reduce_sum(part_sum, {1, 2}, n, 3)',
      'real ((int length(array[] int {1, 2}) >= 1) ? real user part_sum(array[] int {1, 2}, 1, int length(array[] int {1, 2}), 3.0, 0.0) : 0.0)',
    ],
    [
      'reduce_sum_static(cpart_lupdf, k, 1)',
      'real ((int length(value) >= 1) ? real user ~ cpart_lpdf(value, array[] real zeros(value), 1, int length(value)) : 0.0)',
      'local array[] real value := k',
    ],
    [
      'ode_rk45(ode, v, 0, {1.0, 2.0}, p, (s, 1))',
      'array[] vector higher-order ode_rk45(ode; v, 0, array[] real {1.0, 2.0}, p, 0.0, s, 1)',
    ],
    [
      'ode_rk45_tol(ode, v, 0, w, 1e-6, 1e-6, 100, z, (s, n))',
      'array[] vector higher-order ode_rk45_tol(ode; v, 0, w, 0.000001, 0.000001, 100, z.real, z.imag, s, n)',
    ],
    ['solve_powell(alg, v, p)', 'vector higher-order solve_powell(alg; v, p)'],
    ['v[1]', 'real v[1] of "v"'],
    ['v[k]', 'vector v[multiple k] of "v"'],
    ['v[n:]', 'vector v[n:] of "v"'],
    ['v[:n]', 'vector v[:n] of "v"'],
    ['v[n:k[1]]', 'vector v[n:int k[1] of "k"] of "v"'],
    ['v[:]', 'vector v[all] of "v"'],
    ['m[1]', 'row_vector m[1] of "m"'],
    ['m[1, 2]', 'real m[1, 2] of "m"'],
    ['m[1][2]', 'real row_vector m[1] of "m"[2] of "m"'],
    ['m[1:2, k]', 'matrix m[1:2, multiple k] of "m"'],
    ['am[1, 2, 3]', 'real am[1, 2, 3] of "am"'],
    ['(v + 1)[1]', 'real vector add(v, 1)[1] of "(…)"'],
    [
      'f(p) + h(p).2[1]',
      'real add(real user f(p), real vector tuple(real, vector) user h(p).1[1] of "h(…).2")',
    ],
    ['h(p).2[1]', 'real vector tuple(real, vector) user h(p).1[1] of "h(…).2"'],
    ['h(p).2', 'vector tuple(real, vector) user h(p).1'],
    ['h(p).1', 'real tuple(real, vector) user h(p).0'],
    ['hh(p).2.1', 'int tuple(real, tuple(int, vector)) user hh(p).1'],
    ['hh(p).2.2', 'vector tuple(real, tuple(int, vector)) user hh(p).2'],
    ['hh(p).2.2[1]', 'real vector tuple(real, tuple(int, vector)) user hh(p).2[1] of "hh(…).2.2"'],
    ['at[1].2[2]', 'real at[*].2[1, 2] of "at.2"'],
    ['at[1].2', 'vector at[*].2[1] of "at"'],
    ['tt.2.2[1][2]', 'real vector tt.2.2[1] of "tt.2.2"[2] of "tt.2.2"'],
    ['tt.2.2[1, 2]', 'real tt.2.2[1, 2] of "tt.2.2"'],
    ['tt.2.1', 'tt.2.1'],
    ['tt.1', 'tt.1'],
    ['(p, s).2', 's'],
    [
      'at[fi(1)].2[fi(2)]',
      'real at[*].2[value, int user fi(2)] of "at.2"',
      'local int value := int user fi(1)',
    ],
    ['get_real(z)', 'z.real'],
    ['abs(z)', 'real hypot(z.real, z.imag)'],
    [
      'norm(z * 2)',
      'real add(real square(value), real square(value#2))',
      'local real value := real multiply(z.real, 2.0)',
      'local real value#2 := real multiply(z.imag, 2.0)',
    ],
    [
      'z == cs[1]',
      '((z.real === real cs[*].real[1] of "cs") and (z.imag === real cs[*].imag[1] of "cs"))',
    ],
    ['n > 0 && h(p).1 > 0', '((n > 0) and (real tuple(real, vector) user h(p).0 > 0))'],
    ['n > 0 || h(p).1 > 0', '((n > 0) or (real tuple(real, vector) user h(p).0 > 0))'],
    ['fi(n) && fi(k[1])', '(int user fi(n) and int user fi(int k[1] of "k"))'],
    [
      'fi(n) && h(p).1 > 0',
      '(value and (real tuple(real, vector) user h(p).0 > 0))',
      'local int value := int user fi(n)',
    ],
    [
      'fi(n) ? h(p).1 : 2',
      'real (value ? real tuple(real, vector) user h(p).0 : 2)',
      'local int value := int user fi(n)',
    ],
    ['fi(n) ? f(p) : 2', 'real (int user fi(n) ? real user f(p) : 2)'],
    [
      'fi(n) ? norm(fc(z)) : 2',
      'real (value ? real add(real square(value.real), real square(value.imag)) : 2)',
      'local int value := int user fi(n)',
      'local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag) where value',
    ],
    [
      'h(p).1 > 0 && h(s).1 > 0',
      '(value and (real tuple(real, vector) user h(s).0 > 0))',
      'local int value := (real tuple(real, vector) user h(p).0 > 0)',
    ],
    ['size(v)', 'int length(v)'],
    [
      'to_matrix({[1, 2], [3, 4]})',
      'matrix to_matrix(array[] row_vector {row_vector {1, 2}, row_vector {3, 4}})',
    ],
    ['to_vector(k)', 'vector to_vector(k)'],
    ['sum(k)', 'int sum(k)'],
    ['append_array(w, w)', 'array[] real append_array(w, w)'],
    ['min(n, 3)', 'int min(n, 3)'],
    ['fma(p, s, 2)', 'real fma(p, s, 2)'],
    ['fma(1, 2, 3)', 'real fma(1, 2, 3)'],
    ['{z, 2}', 'array[] complex pack(array[] real {z.real, 2.0}, array[] real {z.imag, 0.0})'],
    [
      'fft(to_vector(cs))',
      'complex_vector pack(vector value#3[:value#4] of "fft", vector value#3[int add(value#4, 1):] of "fft")',
      'local vector value := vector to_vector(cs[*].real)',
      'local vector value#2 := vector to_vector(cs[*].imag)',
      'local vector value#3 := vector $fft(value, value#2)',
      'local int value#4 := int divide(int length(value#3), 2)',
    ],
    [
      'reduce_sum(part_sum, fw(w), 1, p)',
      'real ((int length(value) >= 1) ? real user part_sum(value, 1, int length(value), p, 0.0) : 0.0)',
      'local array[] real value := array[] real user fw(w)',
    ],
    [
      'wiener_lcdf_unnorm(1.0, 1, 0.1, 0.5, 0)',
      'real density wiener_lcdf_unnorm(1.0, 1, 0.1, 0.5, 0)',
    ],
    ['to_matrix(y)', 'matrix $column_matrix(y)'],
    ['at[n].1', 'real at[*].1[n] of "at"'],
    ['rep_array(1, n)[1]', 'int array[] int rep_array(1, n)[1] of "rep_array(…)"'],
    ['dims(s)', 'array[] int {}'],
    ['dims(m)', 'array[] int dims(m)'],
    [
      'bernoulli_logit_lpmf({1, 0} | v[1:2])',
      'real density bernoulli_logit_lpmf(array[] int {1, 0}, vector v[1:2] of "v")',
    ],
    ['{p, s}[n]', 'real array[] real {p, s}[n] of "(…)"'],
    ['[p, s][n]', 'real row_vector {p, s}[n] of "(…)"'],
    ['std_normal_lpdf(p)', 'real density std_normal_lpdf(p)'],
    ['-n', 'int minus(n)'],
    ['-s', 'real minus(s)'],
    ['- -s', 'real minus(real minus(s))'],
    [
      'cs[n] * 2',
      'complex pack(real multiply(real cs[*].real[n] of "cs", 2.0), real multiply(real cs[*].imag[n] of "cs", 2.0))',
    ],
    [
      '2 * z == z',
      '((value === z.real) and (value#2 === z.imag))',
      'local real value := real multiply(2.0, z.real)',
      'local real value#2 := real multiply(2.0, z.imag)',
    ],
    [
      'z * z + 1',
      'complex pack(real add(value, 1), value#2)',
      'local real value := real subtract(real multiply(z.real, z.real), real multiply(z.imag, z.imag))',
      'local real value#2 := real add(real multiply(z.real, z.imag), real multiply(z.imag, z.real))',
    ],
    [
      'fi(n) || h(p).1 > 0',
      '(value or (real tuple(real, vector) user h(p).0 > 0))',
      'local int value := int user fi(n)',
    ],
    ['k[{1, 2}]', 'array[] int k[multiple array[] int {1, 2}] of "k"'],
    ['m[k, ]', 'matrix m[multiple k, all] of "m"'],
    ['m[ , 1]', 'vector m[all, 1] of "m"'],
    ['m[, k]', 'matrix m[all, multiple k] of "m"'],
    [
      'solve_newton_tol(alg, v, 1e-3, 1e-3, n, p)',
      'vector higher-order solve_newton_tol(alg; v, 0.001, 0.001, n, p)',
    ],
    [
      'map_rect(mr, v, {v}, {{1.0}}, {{1}})',
      'vector higher-order map_rect(mr; v, array[] vector {v}, array[,] real {array[] real {1.0}}, array[,] int {array[] int {1}})',
    ],
    ['algebra_solver(oa, v, v, w, k)', 'vector higher-order algebra_solver(oa; v, v, w, k)'],
    ['log2(p)', 'real log2(p)'],
    [
      'n > 0 && get_real(fc(z)) > 0',
      '((n > 0) and (value.real > 0))',
      'local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag) where (n > 0)',
    ],
    [
      'n > 0 || get_real(fc(z)) > 0',
      '((n > 0) or (value.real > 0))',
      'local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag) where not (n > 0)',
    ],
    [
      'algebra_solver(oa, v, v, w, k, 1e-3, 1e-3, 10)',
      'vector higher-order algebra_solver(oa; v, v, w, k, 0.001, 0.001, 10)',
    ],
    ['v[]', 'vector v[all] of "v"'],
    ['in_lupdf_a(p)', 'real user in_lupdf_a(p)'],
  ])('%s is %s', (e, value, ...before) => {
    expect(linesOf(lowered(printing(e)).model)).toEqual([...before, `print ${value}`]);
  });
});

/** The expression as the checker returns it, accepted or not. */
function checked(e: string): { readonly expression: Expression; readonly scope: LoweringScope } {
  const { program: tree, files } = checkProgram(printing(e));
  const print = tree.model.find((statement): statement is Print => statement.kind === 'print');
  if (!print) throw new Error('no expression');
  return { expression: print.arguments[0], scope: new LoweringScope(files) };
}

it('messages name an indexed value by its variable, its member or its function', () => {
  const label = (e: string) => labelOf(checked(e).expression);
  expect(['y', 'm[1]', 'tt.2.1', 'at[1].2[3]', 'f(p)', 'f(p)[1]', 'p + s'].map(label)).toEqual([
    'y',
    'm',
    'tt.2.1',
    'at.2',
    'f(…)',
    'f(…)',
    '(…)',
  ]);
});

describe('lowering refuses', () => {
  const real = { base: 'real', arrayDepth: 0 } as const;

  it.each([
    ['unknown', 'an expression without a type'],
    ['"text"', 'an expression without a type'],
    ['y.7', 'an expression without a type'],
  ])('an expression without a type: %s', (e, message) => {
    const { expression, scope } = checked(e);
    expect(() => lowerExpression(scope, expression)).toThrow(`refused: ${message}`);
  });

  it('a value of several parts, even if it has a type', () => {
    for (const [e, kind] of [
      ['2i', 'imaginary'],
      ['(1, 2)', 'tuple'],
    ]) {
      const { expression, scope } = checked(e);
      expect(() => lowerExpression(scope, expression)).toThrow(`refused: a ${kind} as a value`);
    }
  });

  it('a string, and an expression that could not be parsed', () => {
    const { expression, scope } = checked('p');
    const { span } = expression;
    const lower = (e: Expression) => () => lowerExpression(scope, e);
    expect(lower({ kind: 'string', value: 'a', span, type: real })).toThrow('a string as a value');
    expect(lower({ kind: 'error', span, type: real })).toThrow('a error as a value');
  });

  it('a call of an unknown function', () => {
    const { expression, scope } = checked('nowhere(2)');
    expect(() => lowerCall(scope, expression as Call, real)).toThrow(
      'refused: `nowhere` unresolved',
    );
  });
});
