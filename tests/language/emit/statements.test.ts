/** Statements: the same body run on the tape and on data gives the same value, and its gradient is right. */
import { describe, expect, it } from 'vitest';
import {
  gradientError,
  logDensityAt,
  modelOf,
  outputsAt,
  pointOf,
} from '../../support/stan-program.ts';

/** Bodies of `real f(real p, vector v, matrix m, array[] vector w, int n, vector y)`; v[4], m[2,3], w[2] of [3]. */
const bodies: Readonly<Record<string, string>> = {
  'a scalar assigned again': 'real x = p; x = x * x + 1; x += p; x -= 2; x *= x; x /= 3; return x;',
  'a data variable that becomes active later': 'real x = 2; x *= p; return x;',
  'active through a chain in a loop':
    'real a = 1; real b = 1; real c = 1; for (i in 1:3) { a = b; b = c; c = p * c; } return a + b + c;',
  'elements of a vector':
    'vector[4] x; for (i in 1:4) x[i] = v[i] * p + i; x[2] = 7; return dot_product(x, x);',
  'a vector that keeps data elements': 'vector[4] x = y; x[3] = p; return dot_product(x, v);',
  recurrences:
    'vector[4] x; x[1] = p; for (t in 2:4) x[t] = 0.5 * x[t - 1] + y[t] * p; return sum(x .* x);',
  'compound assignment to elements':
    'vector[4] x = v; x[1] += p; x[2] *= x[1]; x[3] -= 1; x[4] /= 1 + p * p; return dot_self(x);',
  'compound assignment to a whole vector':
    'vector[4] x = v; x += y; x .*= v; x *= p; x -= 1; x ./= y; x /= 2; return sum(x);',
  'slices assigned':
    'vector[4] x = y; x[2:3] = v[1:2] * p; x[:1] = v[4:]; return dot_product(x, v);',
  'many indexes assigned':
    'vector[4] x = rep_vector(0, 4); x[{4, 2}] = v[{1, 3}]; return dot_product(x, v);',
  'a slice moved onto itself': 'vector[4] x = v; x[2:4] = x[1:3]; return dot_product(x, y);',
  'elements of a matrix':
    'matrix[2, 3] x; for (i in 1:2) for (j in 1:3) x[i, j] = m[i, j] * p + i * j; return sum(x .* x);',
  'rows and columns of a matrix':
    "matrix[2, 3] x = m; x[1] = v[1:3]'; x[, 2] = [p, p * 2]'; x[2, 2:3] = [p, 1]; x[1:2, 1] = v[3:4]; return sum(x .* x);",
  'elements by double brackets': 'matrix[2, 3] x = m; x[1][2] = p; return sum(x .* x);',
  'an array of vectors':
    'array[2] vector[3] x; x[1] = w[2] * p; x[2] = x[1]; x[1, 2] = p; x[2][3] = 5; return dot_product(x[1], x[2]);',
  'a copy does not follow its source':
    'vector[4] x = v; vector[4] z = x; x[1] = p * 9; z[2] = 3; return dot_product(x, z);',
  'an array element does not follow its source':
    'vector[3] x = w[1]; array[2] vector[3] z; z[1] = x; z[2] = x; x[1] = 100; z[1, 2] = p; return dot_product(z[1], z[2]) + x[1];',
  'a taken element does not follow its array':
    'array[2] vector[3] z = w; vector[3] x = z[1]; z[1, 1] = 50; x[2] = p; return dot_product(x, z[1]);',
  'a taken slice of an array does not follow':
    'array[2] vector[3] z = w; array[1] vector[3] x = z[1:1]; z[1, 1] = 50; return dot_product(x[1], z[1]) * p;',
  'a value passed on does not follow':
    'vector[4] x = v; real before = dot_product(x, y); x[1] = p; return before * dot_product(x, y);',
  'a product does not follow its matrix':
    'matrix[2, 3] x = m; vector[2] z = x * w[1]; x[1, 1] = p; return dot_product(z, x * w[2]);',
  'slices of an array assigned':
    'array[3] vector[3] z; z[1:2] = w; z[3] = w[1] * p; z[2:3, 1] = {p, 4.0}; z[{1, 3}, 2:3] = {v[1:2], y[1:2]}; return dot_product(z[2], z[3]) + sum(z[1]);',
  'arrays of reals':
    'array[4] real x; x[1:2] = to_array_1d(v[1:2]); x[3] = p; x[4] = 2; return sum(x) * x[3];',
  'arrays of arrays':
    'array[2, 2] real x; x[1] = {p, 1.0}; x[2, 1] = p * x[1, 1]; x[2, 2] = 3; x[:, 2] = {2 * p, p}; return sum(x[1]) * sum(x[2]);',
  'an array of matrices':
    "array[2] matrix[2, 3] x; x[1] = m; x[2] = m * p; x[1, 2, 3] = p; x[2, 1] = [1, p, 2]; x[2, :, 2] = [p, 3]'; return sum(x[1] .* x[2]);",
  'if and else':
    'real x; if (p > 0) x = p; else if (p > -1) { x = p * 2; } else x = -p; if (n == 3) x *= 2; return x;',
  'while, break and continue':
    'real x = p; int i = 0; while (1) { i += 1; if (i % 2 == 0) continue; if (i > 7) break; x += i * p; } return x;',
  'while on a value': 'real x = 1 + p * p; while (x < 50) x *= 1.5 + p * p; return log(x);',
  'nested loops with break':
    'real x = 0; for (i in 1:4) { for (j in 1:4) { if (j > i) break; x += v[j] * i; } } return x;',
  'a loop that does not run': 'real x = p; for (i in 3:2) x = 100; return x;',
  'over the elements of a vector': 'real x = 0; for (e in v) x += e * p; return x;',
  'over the elements of a matrix':
    'real x = 0; int k = 0; for (e in m) { k += 1; x += e * k; } return x * p;',
  'over the elements of data': 'real x = 0; for (e in y) x += e * p; return x;',
  'over an array of vectors': 'real x = 0; for (e in w) x += dot_product(e, e); return x;',
  'over an array of ints': 'real x = 0; for (e in {3, 1, 2}) x += v[e] * e; return x;',
  'over a container that changes inside':
    'vector[4] x = v; real s = 0; for (e in x) { x[4] = p; s += e * x[4]; } return s;',
  'a local block hides nothing outside': 'real x = p; { real z = x * x; x = z + 1; } return x;',
  profile: 'real x = 0; profile("part") { x = p * 2; } return x;',
  'int arithmetic':
    'int a = 7; int b = a %/% 2; int c = -7 %/% 2; int d = -7 % 3; a -= 2; a *= b; return p * (a + 10 * b + 100 * c + 1000 * d);',
  'ints that become real':
    'array[3] real x = {1, 2, 3}; vector[3] z = to_vector({1, 2, 3}); x[2] = n; return dot_product(z, to_vector(x)) * p;',
  'logical operators':
    'return p * ((n == 3 && p > -100) + (n != 3 || !(p > 100)) + (!n) + (n >= 3) + (n <= 2) + (n && 0));',
  'conditions on values while the tape grows':
    'int k = 0; for (i in 1:3000) if (exp(p * 0.001 * i) > 0) k += 1; return k == 3000 ? p : 1e6;',
  'reductions that keep nothing':
    'vector[4] x = v; array[2] vector[3] z = w; real s = log_sum_exp(x) + sum(x) + mean(z[1]) * sd(z[2]); x[2] = p; z[1, 2] = 9; z[2, 1] = -p; return s * log_sum_exp(x) + dot_self(z[1]) + normal_lpdf(x | 0, 1) * (s + normal_lpdf(z[2] | z[1], 2));',
  'products that keep their operands':
    "vector[4] x = v; matrix[2, 3] z = m; vector[2] t = z * x[1:3]; vector[3] u = z[1]' .* w[1]; z[1, 1] = p; x[2] = 1; matrix[2, 2] zz = z * z'; z[2, 2] = 100; return sum(zz) + dot_self(t) * sum(u) + sum(x);",
  'early return': 'if (p > 0) return p; for (i in 1:3) { if (i == 2) return p * i; } return 0;',
  'an active return where another is data': 'if (n == 2) return 3; return p;',
  'unassigned parts stay out': 'vector[4] x; x[1] = p; x[2] = 1; return x[1] * x[2];',
  'an unused container': 'array[2] matrix[2, 2] x; x[1, 1, 1] = p; return x[1, 1, 1];',
  'empty containers': 'vector[0] x; x = x * p; return sum(x) + size(x) + p;',
};

const program = (body: string) => `
functions { real f(real p, vector v, matrix m, array[] vector w, int n, vector y) { ${body} } }
data { vector[4] y; int n; }
parameters { real p; vector[4] v; matrix[2, 3] m; array[2] vector[3] w; }
model { target += f(p, v, m, w, n, y); }
generated quantities { real value = f(p, v, m, w, n, y); }`;

describe('statements on the tape agree with data and with central differences', () => {
  it.each(Object.entries(bodies))('%s', (_, body) => {
    const model = modelOf(program(body), { y: [0.5, 1.2, 2, 0.8], n: 3 });
    for (const seed of [3, 4]) {
      const theta = pointOf(model, seed);
      expect(logDensityAt(model, theta)).toBeCloseTo(outputsAt(model, theta).value, 10);
      expect(gradientError(model, seed)).toBeLessThan(1e-7);
    }
  });
});

/** `value` after `body`, run on data. */
function valueOf(body: string, type = 'real'): number {
  const source = `generated quantities { ${type} value; { ${body} } }`;
  return outputsAt(modelOf(source)).value;
}

describe('values by hand', () => {
  it.each([
    ['7 %/% 2', 3],
    ['-7 %/% 2', -3],
    ['7 %/% -2', -3],
    ['-7 % 3', -1],
    ['7 % -3', 1],
    ['1 / 2', 0],
    ['0 * -1', 0],
    ['2 * 3 + 4', 10],
    ['size({1, 2, 3})', 3],
    ['num_elements(rep_matrix(0, 2, 3))', 6],
    ['rows(rep_row_vector(0, 4)) + 10 * cols(rep_row_vector(0, 4))', 41],
    ['sum(dims(rep_array(rep_matrix(0, 4, 5), 2, 3)))', 14],
    ['to_int(-2.7)', -2],
    ['3 > 2', 1],
    ['!3', 0],
  ])('int %s is %s', (e, expected) => {
    const value = valueOf(`value = ${e};`, 'int');
    expect(Object.is(value, expected), `${value}`).toBe(true);
  });

  it.each([
    ['1.0 / 2', 0.5],
    ['2 ^ 3', 8],
    ['2 ^ -1', 0.5],
    ['-2 ^ 2', -4],
    ['0.5 + 1 / 2', 0.5],
    ["[1, 2, 3] * [4, 5, 6]'", 32],
    ["([1, 2]' * [3, 4])[2, 1]", 6],
    ['to_matrix([1, 2, 3, 4, 5, 6], 2, 3)[1, 2]', 3],
    ['to_matrix([1, 2, 3, 4, 5, 6], 2, 3, 0)[1, 2]', 2],
    ['append_row([1, 2], [3, 4])[2, 1]', 3],
    ["append_col([1, 2]', [3, 4]')[2, 1]", 2],
    ['rep_matrix([1, 2], 3)[3, 2]', 2],
    ["rep_matrix([1, 2]', 3)[2, 3]", 2],
    ['linspaced_vector(3, 0, 1)[2]', 0.5],
    ['linspaced_int_array(3, 1, 5)[2]', 3],
    ['sum(one_hot_vector(4, 2)) + one_hot_int_array(3, 3)[3]', 2],
    ['uniform_simplex(4)[2]', 0.25],
    ['identity_matrix(3)[2, 2]', 1],
    ['sum(ones_vector(3)) + sum(zeros_vector(2))', 3],
    ['block(to_matrix(linspaced_vector(12, 1, 12), 3, 4), 2, 3, 2, 2)[2, 1]', 9],
  ])('real %s is %s', (e, expected) => {
    expect(valueOf(`value = ${e};`)).toBeCloseTo(expected, 14);
  });

  it('unassigned variables are NaN and the smallest int', () => {
    const source = 'generated quantities { real x; int k; vector[2] v; array[1] int a; }';
    expect(outputsAt(modelOf(source))).toEqual({
      x: Number.NaN,
      k: -2147483648,
      'v[1]': Number.NaN,
      'v[2]': Number.NaN,
      'a[1]': -2147483648,
    });
  });
});
