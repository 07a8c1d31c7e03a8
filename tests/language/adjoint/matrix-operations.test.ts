/** Matrix algebra in regions: products, scaled rows, transposes, literals, elements, and densities given a factor. */
import { describe, expect, it } from 'vitest';
import { backEndsOf, evaluate, regionsOf, worstDifference } from '../../support/back-ends.ts';

const data = {
  N: 4,
  D: 3,
  X: [
    [0.1, 0.2, -0.3],
    [1, -0.4, 0.6],
    [0.7, 0.1, 0.2],
    [-0.5, 0.9, 0.3],
  ],
  y: [
    [0.3, -0.2, 1.1],
    [0.6, 0.2, 0.1],
    [-0.4, 0.5, 0.2],
    [1.2, 0.1, -0.7],
  ],
  F: [
    [1, 0.5, 0],
    [0, 1, -0.2],
    [0.1, 0, 0.9],
  ],
};

const programOf = (statements: string) => `
data { int N; int D; matrix[N, D] X; array[N] vector[D] y; matrix[D, D] F; }
parameters {
  vector[D] v; row_vector[D] w; real p; matrix[D, D] A; matrix[N, D] m; real<lower=0> s;
  array[2] matrix[D, D] S; array[N] vector[D] z; cholesky_factor_cov[D] L; vector[N] u;
}
model { ${statements} }`;

/** Loops over all elements, so that each has another adjoint. */
const use = 'for (i in 1:D) for (j in 1:D) target += log1p(x[i, j] ^ 2) * i * v[j];';
const useTall = 'for (i in 1:N) for (j in 1:D) target += log1p(x[i, j] ^ 2) * i * v[j];';
const useVector = 'for (i in 1:D) target += log1p(x[i] ^ 2) * i;';

describe('in one region, with the gradient of the tape', () => {
  it.each([
    // products
    `vector[D] x = A * v; ${useVector}`,
    `vector[D] x = A * y[2]; ${useVector}`,
    `vector[D] x = F * v; ${useVector}`,
    `vector[D] x = A' * v; ${useVector}`,
    `vector[D] x = F' * (v * s); ${useVector}`,
    `row_vector[D] x = w * A; ${useVector}`,
    `row_vector[D] x = X[2] * A; ${useVector}`,
    `row_vector[D] x = w * F'; ${useVector}`,
    `vector[D] x = (X[2] * A)'; ${useVector}`,
    `vector[D] x = (v' * A)'; ${useVector}`,
    `vector[D] x = -A * v; ${useVector}`,
    `vector[D] x = v + A * v * p; ${useVector}`,
    `matrix[D, D] x = A * A; ${use}`,
    `matrix[D, D] x = A * A'; ${use}`,
    `matrix[D, D] x = F * A * F'; ${use}`,
    `matrix[D, D] x = A * F + p * A - F; ${use}`,
    `matrix[N, D] x = X * A; ${useTall}`,
    `matrix[N, D] x = m * A'; ${useTall}`,
    `matrix[D, D] x = m' * X; ${use}`,
    `matrix[D, D] x = X' * m; ${use}`,
    `matrix[D, D] x = v * w; ${use}`,
    `matrix[D, D] x = A - v * v' / s; ${use}`,
    `matrix[D, D] x = y[1] * w; ${use}`,
    `matrix[D, D] x = A[, 2] * A[1]; ${use}`,
    // in loops, with values that are overwritten
    `vector[D] x = v; for (i in 1:3) { x = A * x; target += sum(x) * p; } ${useVector}`,
    `matrix[D, D] x = A; for (i in 1:3) { x = F * x * F' + A * s; } ${use}`,
    `matrix[D, D] x; x = A; for (i in 1:2) { target += x[1, 2] * p; x = x * S[i]; } ${use}`,
    `for (n in 2:N) target += dot_self(z[n] - (v + A * z[n - 1]));`,
    `array[N] vector[D] x; x[1] = z[1]; for (n in 2:N) x[n] = A * x[n - 1] + s * z[n]; for (n in 1:N) target += dot_self(x[n]) * n;`,
    `array[N] vector[D] x; x[1] = z[1]; for (n in 2:N) x[n] = x[n - 1] + s * z[n]; for (n in 1:N) target += dot_self(x[n]) * n;`,
    `matrix[N, D] x; x[1] = w; for (n in 2:N) x[n] = x[n - 1] * p + m[n]; ${useTall}`,
    `vector[D] x = v; for (i in 1:2) { x[2:3] = x[1:2] * p; target += x[2]; } ${useVector}`,
    `vector[D] x = v; for (i in 1:2) { x = x .* x + p; x[1] = x[2]; } ${useVector}`,
    `array[2] matrix[D, D] q; for (k in 1:2) q[k] = S[k] * F; for (k in 1:2) { matrix[D, D] x = q[k]' + S[k]; ${use} }`,
    `array[2] matrix[D, D] q; for (k in 1:2) { q[k] = A; q[k] = q[k] .* S[k] + q[1]; } for (k in 1:2) target += sum(q[k]) * k;`,
    // elements
    `matrix[D, D] x = A + F; ${use}`,
    `matrix[D, D] x = exp(A) .* F - 2 * A ./ (1 + square(F)); ${use}`,
    `matrix[N, D] x; x = tanh(X * A + rep_matrix(w, N)); ${useTall}`,
    `matrix[N, D] x = rep_matrix(u, D) + m; ${useTall}`,
    `matrix[D, D] x = A'; ${use}`,
    `matrix[D, D] x = F; x[1, 2] = p; ${use}`,
    `matrix[D, D] x = F' + 1; x[1, 2] = p; ${use}`,
    `for (i in 1:2) target += sum(A .* F) * p + log_sum_exp(S[i]) + mean(A + F);`,
    `to_vector(A) ~ normal(p, s); for (i in 1:2) to_vector(S[i]) ~ normal(v[1], i);`,
    // diagonals
    `matrix[D, D] x = diag_pre_multiply(v, A); ${use}`,
    `matrix[D, D] x = diag_post_multiply(A, v); ${use}`,
    `matrix[D, D] x = diag_pre_multiply(exp(v), F) * A; ${use}`,
    `matrix[D, D] x = diag_post_multiply(F, v .* y[3])'; ${use}`,
    `matrix[D, D] x = diag_pre_multiply(y[1], A'); ${use}`,
    `matrix[N, D] x = rep_matrix(w, N) + (diag_pre_multiply(v, A) * m')'; ${useTall}`,
    `matrix[D, D] x = diag_matrix(v) + diag_matrix(rep_vector(1, D)); ${use}`,
    `matrix[D, D] x; x = diag_matrix([p, s, v[1]]'); ${use}`,
    // literals
    `vector[D] x = [p, 2, v[2] * s]'; ${useVector}`,
    `row_vector[D] x; x = [v[1], p, 1]; x = [x[2], x[1], x[3] * s]; ${useVector}`,
    `matrix[D, D] x = [[p, 1, s], [0, v[1], 2], [v[2], v[3], p * s]]; ${use}`,
    `array[D] real x = {p, s, v[1]}; ${useVector}`,
    `vector[D] x = [1, 2, 0.5]'; x[2] = p; ${useVector}`,
    // data that only the program's text declares
    `matrix[2, 2] G = [[1, 0.5], [0, 1]]; vector[2] x = [p, s]'; for (i in 1:3) { x = G * x; target += x[2]; }`,
    // softmax
    `vector[D] x = softmax(v); ${useVector}`,
    `vector[D] x = log_softmax(v * s); ${useVector}`,
    `for (n in 1:N) target += dot_product(softmax(A * z[n]), v) + sum(p * log_softmax((X[n] * A)')) ;`,
    `vector[D] x = v; for (i in 1:2) { x = softmax(x * p); x[1] *= s; } ${useVector}`,
    `for (i in 1:2) target += sum(softmax(v[1:(i - 1)])) * p;`,
    // densities given a matrix
    `for (n in 2:N) y[n] ~ multi_normal_cholesky(v + A * y[n - 1], L);`,
    `for (n in 2:N) z[n] ~ multi_normal_cholesky(A * z[n - 1], L);`,
    `for (n in 1:N) target += p * multi_normal_cholesky_lpdf(y[n] | z[n], F' * 0 + diag_matrix(exp(v)));`,
    `for (n in 2:N) target += log_mix(inv_logit(p), multi_normal_cholesky_lpdf(y[n] | v, L), multi_normal_cholesky_lpdf(y[n] | A * v, diag_pre_multiply(exp(v), L)));`,
    `for (n in 2:N) target += p * multi_normal_cholesky_lpdf(A * z[n] | y[n], diag_matrix(y[1] .* y[1]));`,
    `for (n in 2:N) target += p * multi_normal_lpdf(y[n] | z[n - 1], A * A' + diag_matrix(rep_vector(3, D)));`,
    `for (k in 1:2) target += p * multi_normal_prec_lpdf(v | y[k], S[k] * S[k]' + diag_matrix(rep_vector(3, D)));`,
  ])('%s', (statements) => {
    const source = programOf(`u ~ std_normal(); ${statements}`);
    expect(regionsOf(source)).toEqual({ regions: 1, onTape: [] });
    expect(worstDifference(backEndsOf(source, data), 4)).toBeLessThan(1e-12);
  });
});

/** Columns are multiplied four at a time, and those that remain one by one. */
it.each([0, 1, 2, 3, 4, 5, 7, 8, 9])('multiplies by matrices of %i columns', (C) => {
  const source = `data { int R; int C; matrix[R, C] X; }
parameters { vector[C] b; matrix[C, 2] B; matrix[R, C] A; vector[R] u; }
model {
  vector[R] x = X * b;
  matrix[R, 2] Y = A * B;
  row_vector[C] w = u' * A;
  for (i in 1:R) target += log1p(x[i] ^ 2) * i + log1p(Y[i, 1] ^ 2) - Y[i, 2] * i;
  for (j in 1:C) target += log1p(w[j] ^ 2) * j - b[j] ^ 2;
}`;
  const row = (i: number) => Array.from({ length: C }, (_, j) => Math.sin(1 + i + 3 * j * j));
  const sized = { R: 5, C, X: [0, 1, 2, 3, 4].map(row) };
  expect(regionsOf(source)).toEqual({ regions: 1, onTape: [] });
  expect(worstDifference(backEndsOf(source, sized), 4)).toBeLessThan(1e-12);
});

describe('beside functions that stay on the tape', () => {
  it.each([
    `target += sum(A .* add_diag(F, v)) * p; ${useVector.replace('x[i]', 'v[i]')}`,
    `matrix[D, D] x = A .* add_diag(A, 1.5) + inverse(F + diag_matrix(exp(v))); ${use}`,
    `target += sum(diagonal(A) .* v) * s; ${useVector.replace('x[i]', 'v[i]')}`,
    `matrix[D, D] x = tcrossprod(A) * p; ${use}`,
    `matrix[2, D] x = m[{1, 2}] + m[2:3]; for (i in 1:2) target += sum(x[i]) * i;`,
    `matrix[D, D] x = quad_form_diag(A, v) - A; ${use}`,
  ])('%s', (statements) => {
    expect(worstDifference(backEndsOf(programOf(statements), data), 4)).toBeLessThan(1e-12);
  });
});

describe('throws what the tape throws', () => {
  it.each([
    [`vector[D] x = m * u; ${useVector}`, '4 × 3 times 4 × 1: columns and rows must match'],
    [`vector[D] x = X * v; ${useVector}`, 'size 3, but is assigned a value of size 4'],
    [`row_vector[D] x = u' * A; ${useVector}`, '1 × 4 times 3 × 3'],
    [`matrix[D, D] x = m * A; ${use}`, 'size 3 × 3, but is assigned a value of size 4 × 3'],
    [`matrix[D, D] x = v * u'; ${use}`, 'size 3 × 3, but is assigned a value of size 3 × 4'],
    [`matrix[N, D] x = m + A; ${useTall}`, ''],
    [`matrix[N, D] x = m .* (X' + m'); ${useTall}`, ''],
    [
      `matrix[D, N] x = m + X; for (i in 1:2) target += x[1, i];`,
      'size 3 × 4, but is assigned a value of size 4 × 3',
    ],
    [`matrix[D, D] x = m'; ${use}`, 'size 3 × 3, but is assigned a value of size 3 × 4'],
    [
      `matrix[D, D] x = rep_matrix(v, N - 2); ${use}`,
      'size 3 × 3, but is assigned a value of size 3 × 2',
    ],
    [
      `matrix[D, D] x = diag_pre_multiply(u, A); ${use}`,
      'diag_pre_multiply: sizes 4 and 3 must match',
    ],
    [
      `matrix[D, D] x = diag_post_multiply(A, u); ${use}`,
      'diag_post_multiply: sizes 4 and 3 must match',
    ],
    [
      `matrix[D, D] x = diag_matrix(u); ${use}`,
      'size 3 × 3, but is assigned a value of size 4 × 4',
    ],
    [`vector[D] x = [p, s]'; ${useVector}`, 'size 3, but is assigned a value of size 2'],
    [`matrix[D, D] x = [[p, s]]; ${use}`, 'size 3 × 3, but is assigned a value of size 1 × 2'],
    [`vector[D] x = softmax(u); ${useVector}`, 'size 3, but is assigned a value of size 4'],
    [
      `array[2] matrix[D, D] q; for (k in 1:2) { q[k] = m; target += q[k][1, 1]; }`,
      'a value of size 4 × 3, but the element has size 3 × 3',
    ],
    [`for (n in 2:N) y[n] ~ multi_normal_cholesky(u, L);`, 'must match'],
    [`for (n in 2:N) y[n] ~ multi_normal_cholesky(v, m);`, 'must match'],
    [`for (n in 2:N) y[n] ~ multi_normal_cholesky(v * n, -L);`, 'must be positive finite'],
    [`for (n in 2:N) y[n] ~ multi_normal_cholesky(v / (n - 2), L);`, 'must be finite'],
    [`for (k in 1:2) v ~ multi_normal(y[k], -S[k] * S[k]');`, 'is not positive definite'],
  ])('%s', (statements, message) => {
    const both = backEndsOf(programOf(statements), data);
    const at = new Float64Array(both.tape.numUnconstrained).fill(0.3);
    const { error } = evaluate(both.tape, at);
    expect(error).toContain(message);
    expect(evaluate(both.adjoint, at).error).toBe(error);
  });
});
