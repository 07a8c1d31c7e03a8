/** Containers assigned as a whole: repeated numbers, copies, linear maps; and checks of what is declared. */
import { describe, expect, it } from 'vitest';
import { backEndsOf, evaluate, regionsOf, worstDifference } from '../../support/back-ends.ts';

const data = {
  N: 4,
  J: 3,
  k: [1, 2, 3, 2],
  X: [
    [0.1, 0.2, -0.3],
    [1, -0.4, 0.6],
    [0.7, 0.1, 0.2],
    [-0.5, 0.9, 0.3],
  ],
  Z: [
    [
      [1, 0.5, 2],
      [0, 1, -1],
    ],
    [
      [0.3, 0.2, 0.1],
      [1, 1, 1],
    ],
  ],
};

const programOf = (statements: string, transformed = '') => `
functions {
  matrix turned(matrix m, vector v) {
    int n = rows(m);
    matrix[cols(m), n] out;
    for (i in 1:n) for (j in 1:cols(m)) out[j, i] = m[i, j] * v[i];
    return out;
  }
}
data { int N; int J; array[N] int k; matrix[N, J] X; array[2] matrix[2, J] Z; }
parameters { vector[N] v; vector[J] b; real p; matrix[N, J] m; real<lower=0> s; }
${transformed}
model { v ~ std_normal(); ${statements} }`;

const use = 'for (n in 1:N) for (j in 1:J) target += log1p(x[n, j] ^ 2) * v[n];';
const useVector = 'for (n in 1:N) target += log1p(x[n] ^ 2) * v[n];';

describe('in one region, with the gradient of the tape', () => {
  it.each([
    // repeated numbers
    `vector[N] x = rep_vector(p * s, N); ${useVector}`,
    `vector[N] x = rep_vector(0, N); for (n in 1:N) x[n] += v[n] * p; ${useVector}`,
    `row_vector[N] x = rep_row_vector(exp(p), N); ${useVector}`,
    `array[N] real x = rep_array(p, N); ${useVector}`,
    `matrix[N, J] x = rep_matrix(p, N, J); ${use}`,
    `matrix[N, J] x = rep_matrix(0, N, J); for (n in 1:N) x[n, 2] = v[n] * s; ${use}`,
    `array[N, J] real x = rep_array(s * p, N, J); for (n in 1:N) x[n, 1] = v[n]; ${use}`,
    `matrix[N, J] x; x = rep_matrix(p, N, J); x = rep_matrix(x[2, 1] * p, N, J); ${use}`,
    `matrix[N, J] x; for (i in 1:3) { x = rep_matrix(p * i, N, J); ${use} }`,
    `vector[N] x = v; for (i in 1:3) { target += sum(x) * p; x[2:3] = rep_vector(x[1] * p, 2); } ${useVector}`,
    `matrix[N, J] x = m; for (j in 1:J) { target += x[1, j] * p; x[2:N, j] = rep_vector(x[1, j] * p, N - 1); x[1, 1:2] = rep_row_vector(s, 2); } ${use}`,
    // copies
    `matrix[N, J] x = m; for (n in 1:N) x[n, 1] *= p; ${use}`,
    `matrix[N, J] y; matrix[N, J] x; for (n in 1:N) for (j in 1:J) y[n, j] = m[n, j] * p; x = y; y[1, 1] = 2; ${use}`,
    `matrix[N, J] x = m; for (i in 1:2) { target += x[1, 2] * p; x = m; x[1, 2] *= i; ${use} }`,
    `array[2] vector[J] y; array[2] vector[J] x; for (i in 1:2) y[i] = b * p * i; x = y; for (i in 1:2) target += dot_self(x[i]) * s;`,
    `matrix[J, N] x = turned(m, v); for (j in 1:J) for (n in 1:N) target += log1p(x[j, n] ^ 2);`,
    // linear maps
    `vector[N] x = X * b; ${useVector}`,
    `vector[N] x; x = X * b; for (n in 1:N) target += x[n] * p; x = X * (b * s); ${useVector}`,
    `vector[N] x; for (i in 1:2) { x[1:2] = Z[i] * b; x[3] = p; x[4] = x[1] * i; ${useVector} }`,
    `for (n in 1:2) { vector[2] x = p * exp(-Z[n] * b - Z[n][, 2] * s); target += dot_self(x); }`,
    `vector[N] x = inv_logit(p + X * b + v); ${useVector}`,
    `vector[N] x = cumulative_sum(v); ${useVector}`,
    `vector[N] x = v; x[2:N] = cumulative_sum(m[2:N, 2]); for (n in 2:N) x[n] *= x[n - 1]; ${useVector}`,
    `vector[N] x = p + s * cumulative_sum(v .* v); ${useVector}`,
    // parts by functions
    `for (n in 2:N) target += dot_product(sub_col(m, 1, 2, n - 1), head(v, n - 1)) * p;`,
    `for (n in 2:N) target += dot_product(tail(v, n), segment(v, 1, n)) * s;`,
    `for (n in 1:N) target += log_sum_exp(sub_row(m, n, 1, 2)) * p + dot_product(row(m, n), b);`,
    `for (j in 1:J) target += dot_product(col(m, j), v) * p + dot_product(tail(v, 2), tail(b, 2));`,
  ])('%s', (statements) => {
    const source = programOf(statements);
    expect(regionsOf(source)).toEqual({ regions: 1, onTape: [] });
    expect(worstDifference(backEndsOf(source, data), 4)).toBeLessThan(1e-12);
  });

  it.each([
    ['vector<lower=0>[N] x = exp(v * p);', useVector],
    ['vector<lower=p - 50, upper=50>[N] x; for (n in 1:N) x[n] = v[n] * p;', useVector],
    ['matrix<upper=90>[N, J] x; for (n in 1:N) for (j in 1:J) x[n, j] = m[n, j] * p;', use],
    [
      'array[N] simplex[J] x; for (n in 1:N) { x[n, 1] = inv_logit(v[n]); x[n, 2] = (1 - x[n, 1]) / 4; x[n, 3] = 1 - x[n, 1] - x[n, 2]; }',
      use,
    ],
    ['ordered[N] x; for (n in 1:N) x[n] = n + inv_logit(v[n]);', useVector],
    ['real<lower=0> y = exp(p); vector[N] x; for (n in 1:N) x[n] = y * v[n];', useVector],
  ])('%s', (transformed, statements) => {
    const source = programOf(statements, `transformed parameters { ${transformed} }`);
    expect(regionsOf(source)).toEqual({ regions: 1, onTape: [] });
    expect(worstDifference(backEndsOf(source, data), 4)).toBeLessThan(1e-12);
  });
});

describe('parts of a number of elements', () => {
  it.each([
    'head(v, k[1] - 2)',
    'tail(v, k[1] - 2)',
    'tail(v, k[3] + 2)',
    'segment(v, 2, k[3] + 1)',
    'segment(v, 0, 2)',
    'sub_col(m, 2, 1, k[1] - 3)',
    'sub_row(m, 2, 1, k[3] + 1)',
    'col(m, k[3] + 1)',
  ])('%s is refused, as on the tape', (part) => {
    const both = backEndsOf(programOf(`for (i in 1:2) target += sum(${part}) * p;`), data);
    const at = new Float64Array(both.tape.numUnconstrained).fill(0.3);
    const [kind] = evaluate(both.tape, at).error?.split(':') ?? [];
    expect(kind).toBe('ShapeError');
    expect(evaluate(both.adjoint, at).error?.split(':')[0]).toBe(kind);
  });

  it.each(['head(v, k[1] - 1)', 'tail(v, 0)', 'segment(v, 9, 0)', 'sub_col(m, 2, 1, k[1] - 1)'])(
    '%s may be empty',
    (part) => {
      const both = backEndsOf(programOf(`for (i in 1:2) target += sum(${part}) * p;`), data);
      const at = new Float64Array(both.tape.numUnconstrained).fill(0.3);
      expect(evaluate(both.tape, at).error).toBeNull();
      expect(worstDifference(both, 2)).toBeLessThan(1e-12);
    },
  );
});

describe('throws what the tape throws', () => {
  it.each([
    [
      `vector[N] x = rep_vector(p, N + 1); ${useVector}`,
      'size 4, but is assigned a value of size 5',
    ],
    [`vector[N] x = rep_vector(p, N - 5); ${useVector}`, 'must be at least 0'],
    [
      `matrix[N, J] x = rep_matrix(p, J, N); ${use}`,
      'size 4 × 3, but is assigned a value of size 3 × 4',
    ],
    [
      `matrix[J, N] y; matrix[N, J] x; y[1, 1] = p; x = y; ${use}`,
      'size 4 × 3, but is assigned a value of size 3 × 4',
    ],
    [
      `vector[J] x = X * b; for (j in 1:J) target += x[j] * p;`,
      'size 3, but is assigned a value of size 4',
    ],
    [
      `vector[N] x = X * v; ${useVector}`,
      'multiply: 4 × 3 times 4 × 1: columns and rows must match',
    ],
    [`vector[N] x = v; x[1:2] = X * b; ${useVector}`, '4'],
    [`vector[N] x = v; x[1:2] = cumulative_sum(b); ${useVector}`, '3'],
    [`vector[N] x = v; x[1:2] = rep_vector(p, 3); ${useVector}`, '3'],
  ])('%s', (statements, message) => {
    const both = backEndsOf(programOf(statements), data);
    const at = new Float64Array(both.tape.numUnconstrained).fill(0.3);
    const { error } = evaluate(both.tape, at);
    expect(error).toContain(message);
    expect(evaluate(both.adjoint, at).error).toBe(error);
  });

  it.each([
    [
      'vector<lower=0>[N] x; for (n in 1:N) x[n] = v[n] * (n == 3 ? -1 : 1);',
      '`x[3]` is -0.3: must be at least 0',
    ],
    [
      'array[2] vector<upper=1>[N] x; for (i in 1:2) for (n in 1:N) x[i, n] = v[n] * i * n;',
      '`x[1,4]` is 1.2: must be at most 1',
    ],
    [
      'matrix<lower=0>[N, J] x; for (n in 1:N) for (j in 1:J) x[n, j] = m[n, j] - (j - 1);',
      '`x[1,2]` is -0.7: must be at least 0',
    ],
    [
      'array[N] simplex[J] x; for (n in 1:N) for (j in 1:J) x[n, j] = n == 2 ? m[n, j] : 1.0 / 3;',
      '`x[2]` is not a valid simplex',
    ],
    ['simplex[J] x; for (j in 1:J) x[j] = j == 1 ? 1 + b[1] : -b[1] / 2;', 'should be nonnegative'],
    ['ordered[N] x; for (n in 1:N) x[n] = v[n] * (n == 3 ? -1 : n);', '`x` is not a valid ordered'],
    [
      'real<lower=1> y = p; vector[N] x; for (n in 1:N) x[n] = v[n] * y;',
      '`y` is 0.3: must be at least 1',
    ],
    ['vector<lower=0>[N] x; for (n in 2:N) x[n] = v[n];', '`x[1]` is NaN: must be at least 0'],
  ])('%s', (transformed, message) => {
    const source = programOf('target += p;', `transformed parameters { ${transformed} }`);
    const both = backEndsOf(source, data);
    const at = new Float64Array(both.tape.numUnconstrained).fill(0.3);
    const { error } = evaluate(both.tape, at);
    expect(error).toContain(message);
    expect(evaluate(both.adjoint, at).error).toBe(error);
  });
});
