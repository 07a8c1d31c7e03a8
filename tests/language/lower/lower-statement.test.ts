/** What statements are lowered to, in order, and what their values are where the order matters. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { lowerProgram } from '../../../src/language/lower/lower-program.ts';
import type {
  Assignment,
  Expression,
  Statement,
  Variable,
} from '../../../src/language/syntax/ast.ts';
import { modelOf, outputsAt } from '../../support/stan-program.ts';
import { linesOf, lowered } from './ir-text.ts';

const head = `functions {
  real f(real x) { return x; }
  int fi(int k) { return k; }
  void u(real x) { print(x); }
  tuple(real, vector) h(real x) { return (x, [x, 1]'); }
  array[] complex fz(int n) { return {1i, 2}; }
  complex fc(complex z) { return z; }
}
data { int n; array[3] int k; real s; vector[3] y; complex z; array[2] tuple(real, complex) at; }
transformed data { array[2] complex cs; matrix[2, 2] a; array[2] vector[3] w; tuple(real, complex) t; array[2] tuple(real, vector[3]) tv; complex_vector[2] zv; complex_matrix[2, 2] zm; vector[3] v; real r; tuple(real, real) tr; array[2] tuple(int, tuple(real, complex)) tt; int i; complex zz; array[2, 3] real rr;`;
const numDeclared = lowered(`${head} }`).transformedData.length;

describe('a statement', () => {
  it.each<[string, ...string[]]>([
    ['r = s;', 'r = s'],
    ['r += s;', 'r = real add(r, s)'],
    ['r -= s;', 'r = real subtract(r, s)'],
    ['r *= s;', 'r = real multiply(r, s)'],
    ['r /= s;', 'r = real divide(r, s)'],
    ['v .*= y;', 'v = vector elt_multiply(v, y)'],
    ['v ./= y;', 'v = vector elt_divide(v, y)'],
    ['i += 1;', 'i = int add(i, 1)'],
    ['v[1] = s;', 'v[1] = s'],
    ['v[1] += s;', 'v[1] = real add(real v[1] of "v", s)'],
    ['v[n] *= 2;', 'v[n] = real multiply(real v[n] of "v", 2)'],
    ['w[1][2] = s;', 'w[1, 2] = s'],
    ['w[1, 2] = s;', 'w[1, 2] = s'],
    ['a[1] = [1, 2];', 'a[1] = row_vector {1, 2}'],
    ["a[:, 1] = [1, 2]';", 'a[all, 1] = vector {1, 2}'],
    ['a[1:n, k[1:2]] = a;', 'a[1:n, multiple array[] int k[1:2] of "k"] = a'],
    ['rr[1][2] = s;', 'rr[1, 2] = s'],
    ['zz = z;', 'zz.real = z.real', 'zz.imag = z.imag'],
    ['zz = s;', 'zz.real = s', 'zz.imag = 0.0'],
    ['zz = 2;', 'zz.real = 2.0', 'zz.imag = 0.0'],
    ['zz += 1;', 'zz.real = real add(zz.real, 1)', 'zz.imag = zz.imag'],
    [
      'zz *= z;',
      'local real value := real add(real multiply(zz.real, z.imag), real multiply(zz.imag, z.real))',
      'zz.real = real subtract(real multiply(zz.real, z.real), real multiply(zz.imag, z.imag))',
      'zz.imag = value',
    ],
    [
      'zz /= fc(z);',
      'local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag)',
      'local real value.real#2, local real value.imag#2 := tuple(real, real) user complex_divide(zz.real, zz.imag, value.real, value.imag)',
      'zz.real = value.real#2',
      'zz.imag = value.imag#2',
    ],
    ['cs[1] = z;', 'cs[*].real[1] = z.real', 'cs[*].imag[1] = z.imag'],
    [
      'cs[fi(1)] = z;',
      'local int value := int user fi(1)',
      'cs[*].real[value] = z.real',
      'cs[*].imag[value] = z.imag',
    ],
    [
      'cs[fi(1):fi(2)] = cs;',
      'local int value := int user fi(1)',
      'local int value#2 := int user fi(2)',
      'cs[*].real[value:value#2] = cs[*].real',
      'cs[*].imag[value:value#2] = cs[*].imag',
    ],
    [
      'cs[k[1:2]] = cs;',
      'cs[*].real[multiple array[] int k[1:2] of "k"] = cs[*].real',
      'cs[*].imag[multiple array[] int k[1:2] of "k"] = cs[*].imag',
    ],
    ['zv[1] = 1i;', 'zv[*].real[1] = 0.0', 'zv[*].imag[1] = 1.0'],
    [
      'zm[1, 2] += 1;',
      'zm[*,*].real[1, 2] = real add(real zm[*,*].real[1, 2] of "zm", 1)',
      'zm[*,*].imag[1, 2] = real zm[*,*].imag[1, 2] of "zm"',
    ],
    [
      'zm[1] = [z, 1];',
      'zm[*,*].real[1] = row_vector {z.real, 1.0}',
      'zm[*,*].imag[1] = row_vector {z.imag, 0.0}',
    ],
    ['t = (1, 2);', 't.1 = 1', 't.2.real = 2.0', 't.2.imag = 0.0'],
    ['t.2 = z;', 't.2.real = z.real', 't.2.imag = z.imag'],
    ['t.2 = 3;', 't.2.real = 3.0', 't.2.imag = 0.0'],
    ['t.1 = 4;', 't.1 = 4'],
    [
      't.2 *= 2i;',
      'local real value := real add(real multiply(t.2.real, 2.0), real multiply(t.2.imag, 0.0))',
      't.2.real = real subtract(real multiply(t.2.real, 0.0), real multiply(t.2.imag, 2.0))',
      't.2.imag = value',
    ],
    ['tr = (tr.2, tr.1);', 'local real value := tr.1', 'tr.1 = tr.2', 'tr.2 = value'],
    ['(tr.1, r) = (r, tr.1);', 'local real value := tr.1', 'tr.1 = r', 'r = value'],
    [
      '(r, v) = h(s);',
      'local real value.1, local vector value.2 := tuple(real, vector) user h(s)',
      'r = value.1',
      'v = value.2',
    ],
    [
      'tv[n] = h(s);',
      'local real value.1, local vector value.2 := tuple(real, vector) user h(s)',
      'tv[*].1[n] = value.1',
      'tv[*].2[n] = value.2',
    ],
    ['tv[n].2[1] = s;', 'tv[*].2[n, 1] = s'],
    [
      'tv[fi(n)].2[fi(1)] = s;',
      'local int value := int user fi(n)',
      'tv[*].2[value, int user fi(1)] = s',
    ],
    ['tv[1].2 += 1;', 'tv[*].2[1] = vector add(vector tv[*].2[1] of "tv", 1)'],
    ['tt[1].2.2 = 2;', 'tt[*].2.2.real[1] = 2.0', 'tt[*].2.2.imag[1] = 0.0'],
    ['tt[1].2 = (1, 2);', 'tt[*].2.1[1] = 1', 'tt[*].2.2.real[1] = 2.0', 'tt[*].2.2.imag[1] = 0.0'],
    ['u(s);', 'void user u(s)'],
    ['if (n) r = 1;', 'if n', '  r = 1'],
    ['if (n) r = 1; else r = 2;', 'if n', '  r = 1', 'else', '  r = 2'],
    [
      'if (n > 0) { r = 1; } else if (n < 0) { r = 2; }',
      'if (n > 0)',
      '  r = 1',
      'else',
      '  if (n < 0)',
      '    r = 2',
    ],
    [
      'if (get_real(fc(z)) > 0) r = 1;',
      'local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag)',
      'if (value.real > 0)',
      '  r = 1',
    ],
    ['while (n) r = 1;', 'while n', '  r = 1'],
    [
      'while (h(s).1 > 0) { r = 1; }',
      'while (real tuple(real, vector) user h(s).0 > 0)',
      '  r = 1',
    ],
    [
      'while (get_real(fc(z)) > 0) { r = 1; break; }',
      'while 1',
      '  local real value.real, local real value.imag := tuple(real, real) user fc(z.real, z.imag)',
      '  if not (value.real > 0)',
      '    break',
      '  r = 1',
      '  break',
    ],
    ['for (j in 1:n) { r = j; continue; }', 'for loop int j in 1 to n', '  r = j', '  continue'],
    [
      'for (j in fi(n):fi(2)) r = j;',
      'for loop int j in int user fi(n) to int user fi(2)',
      '  r = j',
    ],
    ['for (e in y) r = e;', 'for loop real e of y', '  r = e'],
    ['for (e in w) v = e;', 'for loop vector e of w', '  v = e'],
    ['for (e in k) i = e;', 'for loop int e of k', '  i = e'],
    ['for (e in a) r = e;', 'for loop real e of a', '  r = e'],
    [
      'for (e in cs) zz = e;',
      'for loop int k in 1 to int length(cs[*].real)',
      '  loop real e.real = real cs[*].real[k] of "cs"',
      '  loop real e.imag = real cs[*].imag[k] of "cs"',
      '  zz.real = e.real',
      '  zz.imag = e.imag',
    ],
    [
      'for (e in zv) zz = e;',
      'local vector value := vector to_vector(zv[*].real)',
      'local vector value#2 := vector to_vector(zv[*].imag)',
      'for loop int k in 1 to int length(value)',
      '  loop real e.real = real value[k] of "zv"',
      '  loop real e.imag = real value#2[k] of "zv"',
      '  zz.real = e.real',
      '  zz.imag = e.imag',
    ],
    [
      'for (e in zm) zz = e;',
      'local vector value := vector to_vector(zm[*,*].real)',
      'local vector value#2 := vector to_vector(zm[*,*].imag)',
      'for loop int k in 1 to int length(value)',
      '  loop real e.real = real value[k] of "zm"',
      '  loop real e.imag = real value#2[k] of "zm"',
      '  zz.real = e.real',
      '  zz.imag = e.imag',
    ],
    [
      'for (e in fz(n)) zz = e;',
      'local array[] real value[*].real, local array[] real value[*].imag := tuple(array[] real, array[] real) user fz(n)',
      'for loop int k in 1 to int length(value[*].real)',
      '  loop real e.real = real value[*].real[k] of "fz(…)"',
      '  loop real e.imag = real value[*].imag[k] of "fz(…)"',
      '  zz.real = e.real',
      '  zz.imag = e.imag',
    ],
    [
      'for (e in at) r = e.1;',
      'for loop int k in 1 to int length(at[*].1)',
      '  loop real e.1 = real at[*].1[k] of "at"',
      '  loop real e.2.real = real at[*].2.real[k] of "at"',
      '  loop real e.2.imag = real at[*].2.imag[k] of "at"',
      '  r = e.1',
    ],
    [
      'for (e in tv) v = e.2;',
      'for loop int k in 1 to int length(tv[*].1)',
      '  loop real e.1 = real tv[*].1[k] of "tv"',
      '  loop vector e.2 := vector tv[*].2[k] of "tv"',
      '  v = e.2',
    ],
    [
      'for (e in tt) zz = e.2.2;',
      'for loop int k in 1 to int length(tt[*].1)',
      '  loop int e.1 = int tt[*].1[k] of "tt"',
      '  loop real e.2.1 = real tt[*].2.1[k] of "tt"',
      '  loop real e.2.2.real = real tt[*].2.2.real[k] of "tt"',
      '  loop real e.2.2.imag = real tt[*].2.2.imag[k] of "tt"',
      '  zz.real = e.2.2.real',
      '  zz.imag = e.2.2.imag',
    ],
    ['{ real q = 1; r = q; }', 'block', '  local real q = 1', '  r = q'],
    ['profile("here") { r = 1; }', 'profile here', '  r = 1'],
    [
      'print("a", s, t, tt[1], z);',
      'print "a", s, tuple(real, complex) pack(t.1, t.2.real, t.2.imag), tuple(int, tuple(real, complex)) pack(int tt[*].1[1] of "tt", real tt[*].2.1[1] of "tt", real tt[*].2.2.real[1] of "tt", real tt[*].2.2.imag[1] of "tt"), complex pack(z.real, z.imag)',
    ],
    ['reject("a ", s);', 'reject "a ", s'],
    ['fatal_error("b", s);', 'fatal reject "b", s'],
    [';'],
    ['real q;', 'transformed data real q'],
    ['real q = s;', 'transformed data real q = s'],
    ['real<lower=0> q = s;', 'transformed data real q <bounds lower 0> = s'],
    [
      'real<lower=fi(1), upper=2> q = 1;',
      'transformed data real q <bounds lower int user fi(1) upper 2> = 1',
    ],
    ['real<lower=0> q = 2;', 'transformed data real q <bounds lower 0> = 2'],
    [
      'vector<offset=1, multiplier=s>[n] q = y;',
      'transformed data vector q [; n] <offset-multiplier offset 1 multiplier s> = y',
    ],
    [
      'vector<offset=1>[n] q = y;',
      'transformed data vector q [; n] <offset-multiplier offset 1> = y',
    ],
    ['vector<lower=0>[n] q = y;', 'transformed data vector q [; n] <bounds lower 0> = y'],
    ['cov_matrix[n] q = a;', 'transformed data matrix q [; n, n] <cov_matrix> = a'],
    ['cholesky_factor_cov[3, 2] q;', 'transformed data matrix q [; 3, 2] <cholesky_factor_cov>'],
    ['array[n, 2] matrix[2, 3] q;', 'transformed data array[,] matrix q [n, 2; 2, 3]'],
    [
      'complex q = z;',
      'transformed data real q.real = z.real',
      'transformed data real q.imag = z.imag',
    ],
    ['complex q = s;', 'transformed data real q.real = s', 'transformed data real q.imag = 0.0'],
    [
      'array[fi(2)] complex q;',
      'local int value := int user fi(2)',
      'transformed data array[] real q[*].real [value; ]',
      'transformed data array[] real q[*].imag [value; ]',
    ],
    [
      'complex_vector[fi(2)] q;',
      'local int value := int user fi(2)',
      'transformed data vector q[*].real [; value]',
      'transformed data vector q[*].imag [; value]',
    ],
    [
      'complex_matrix[n, fi(2)] q;',
      'local int value := int user fi(2)',
      'transformed data matrix q[*,*].real [; n, value]',
      'transformed data matrix q[*,*].imag [; n, value]',
    ],
    [
      'tuple(real<lower=0>, array[2] vector[n]) q;',
      'transformed data real q.1 <bounds lower 0>',
      'transformed data array[] vector q.2 [2; n]',
    ],
    [
      'array[fi(2)] tuple(real, complex_vector[fi(3)]) q;',
      'local int value := int user fi(2)',
      'local int value#2 := int user fi(3)',
      'transformed data array[] real q[*].1 [value; ]',
      'transformed data array[] vector q[*].2[*].real [value; value#2]',
      'transformed data array[] vector q[*].2[*].imag [value; value#2]',
    ],
    [
      'tuple(real, complex) q = (1, 2);',
      'transformed data real q.1 = 1',
      'transformed data real q.2.real = 2.0',
      'transformed data real q.2.imag = 0.0',
    ],
    [
      'tuple(real, vector[2]) q = h(s);',
      'local real value.1, local vector value.2 := tuple(real, vector) user h(s)',
      'transformed data real q.1 = value.1',
      'transformed data vector q.2 [; 2] = value.2',
    ],
    ['real q = q;', 'transformed data real q', 'q = q'],
    ['vector[2] q = q;', 'transformed data vector q [; 2]', 'q = q'],
    [
      'complex q = q * 2;',
      'transformed data real q.real',
      'transformed data real q.imag',
      'q.real = real multiply(q.real, 2.0)',
      'q.imag = real multiply(q.imag, 2.0)',
    ],
    [
      'complex q = fc(q);',
      'transformed data real q.real',
      'transformed data real q.imag',
      'local real value.real, local real value.imag := tuple(real, real) user fc(q.real, q.imag)',
      'q.real = value.real',
      'q.imag = value.imag',
    ],
    [
      'tuple(real, real) q = (q.2, 1);',
      'transformed data real q.1',
      'transformed data real q.2',
      'q.1 = q.2',
      'q.2 = 1',
    ],
    [
      'array[2] complex q = {z, 2};',
      'transformed data array[] real q[*].real [2; ] = array[] real {z.real, 2.0}',
      'transformed data array[] real q[*].imag [2; ] = array[] real {z.imag, 0.0}',
    ],
    ['array[2] int q = {1, 2};', 'transformed data array[] int q [2; ] = array[] int {1, 2}'],
    [
      'complex_vector[fi(2)] q = q * 2;',
      'local int value := int user fi(2)',
      'transformed data vector q[*].real [; value]',
      'transformed data vector q[*].imag [; value]',
      'q[*].real = vector multiply(q[*].real, 2.0)',
      'q[*].imag = vector multiply(q[*].imag, 2.0)',
    ],
    [
      '(zz, r) = (r, get_real(zz));',
      'local real value := zz.real',
      'zz.real = r',
      'zz.imag = 0.0',
      'r = value',
    ],
    [
      't = n > 0 ? (r, zz) : t;',
      't.1 = real ((n > 0) ? r : t.1)',
      't.2.real = real ((n > 0) ? zz.real : t.2.real)',
      't.2.imag = real ((n > 0) ? zz.imag : t.2.imag)',
    ],
    [
      "zm[fi(1), fi(2):] = zv';",
      'local int value := int user fi(1)',
      'local int value#2 := int user fi(2)',
      'zm[*,*].real[value, value#2:] = (row_vector) zv[*].real',
      'zm[*,*].imag[value, value#2:] = (row_vector) zv[*].imag',
    ],
    ['zm[ , 1] = zv;', 'zm[*,*].real[all, 1] = zv[*].real', 'zm[*,*].imag[all, 1] = zv[*].imag'],
    [
      'complex q = n > 0 ? fc(q) : z;',
      'transformed data real q.real',
      'transformed data real q.imag',
      'local real value.real, local real value.imag := tuple(real, real) user fc(q.real, q.imag) where (n > 0)',
      'q.real = real ((n > 0) ? value.real : z.real)',
      'q.imag = real ((n > 0) ? value.imag : z.imag)',
    ],
  ])('%s', (statement, ...expected) => {
    const { transformedData } = lowered(`${head} ${statement} }`);
    expect(linesOf(transformedData.slice(numDeclared))).toEqual(expected);
  });

  it('may be empty in an unfinished condition', () => {
    expect(linesOf(lowered('data { int n; } model { if (n) ; else ; while (n) ; }').model)).toEqual(
      ['if n', 'while n'],
    );
  });
});

describe('lowering refuses', () => {
  const lower = (source: string) => () => {
    const { program, files } = checkProgram(source);
    return lowerProgram(program, files);
  };

  it('a variable without a declaration', () => {
    expect(lower('model { z[1] = 2; }')).toThrow('refused: `z` has no declaration');
  });

  it.each<[string, (value: Expression) => Expression]>([
    ['assignment to an expression', (value) => value],
    [
      'a member of what has no type',
      ({ span }) => ({
        kind: 'member',
        base: { kind: 'variable', name: 'z', span },
        position: 1,
        span,
      }),
    ],
  ])('an invalid place: %s', (message, targetOf) => {
    const { program, files } = checkProgram('model { real x; x = 2 + 3; }');
    const [declared, assignment] = program.model as [Statement, Assignment];
    const target = targetOf(assignment.value) as Variable;
    const model = [declared, { ...assignment, target }];
    expect(() => lowerProgram({ ...program, model }, files)).toThrow(`refused: ${message}`);
  });
});

describe('an output variable', () => {
  const functions = `functions {
    int f(int k) { return k; }
    complex g(complex z) { return z; }
  }`;
  const columns = (block: string) => outputsAt(modelOf(`${functions} ${block}`));

  it('may have sizes computed by functions, also for complex numbers and tuples', () => {
    expect(columns('generated quantities { complex_vector[f(2)] z = rep_vector(1, 2); }')).toEqual({
      'z[1].real': 1,
      'z[2].real': 1,
      'z[1].imag': 0,
      'z[2].imag': 0,
    });
    expect(
      columns(`parameters { real p; }
        transformed parameters { array[f(1)] tuple(real, vector[f(1)]) t = {(p, [2]')}; }`),
    ).toEqual({ p: 0, 't[1]:1': 0, 't[1]:2[1]': 2 });
    expect(
      columns('generated quantities { vector[to_int(get_real(g(1)))] y = rep_vector(3, 1); }'),
    ).toEqual({ 'y[1]': 3 });
  });

  it('may read itself before it has a value', () => {
    const { 'z[1].real': z } = columns(
      'generated quantities { complex_vector[f(1)] z = z * 2; { complex_vector[f(1)] y = y; } }',
    );
    expect(z).toBeNaN();
  });
});
