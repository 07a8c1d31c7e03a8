/**
 * Covariances and their factors stored in order on the tape, where functions read and add to them without copies,
 * against the same programs with an element assigned in between, which forces the general path.
 */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { differenceAt, evaluate } from '../../support/back-ends.ts';
import { expectSameDensity } from '../../support/same-density.ts';
import { gradientError, modelOf, testRng } from '../../support/stan-program.ts';

const data = {
  N: 6,
  M: 4,
  x: [0.1, 0.5, 0.9, 1.6, 2.2, 2.9],
  y: [0.3, -0.2, 0.8, 0.1, -0.5, 0.4],
  jitter: 0.2,
};

const program = (model: string) => `
data { int N; int M; array[N] real x; vector[N] y; real jitter; }
parameters { real<lower=0> rho; real<lower=0> alpha; real<lower=0> sigma; vector[N] z; }
model {
  rho ~ inv_gamma(5, 5); alpha ~ std_normal(); sigma ~ std_normal(); z ~ std_normal();
  ${model}
}`;

const covariance = 'matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);';
const diagonal = 'for (n in 1:N) K[n, n] += square(sigma) + jitter;';
const factor = 'matrix[N, N] L = cholesky_decompose(K);';
const inOrder = `${covariance} ${diagonal} ${factor}`;
/** No recognised loop, and lists of slots instead of ranges. */
const general = `${covariance} for (n in 1:N) { real d = square(sigma) + jitter; K[n, n] = d + K[n, n]; }
  ${factor} L[1, 1] = L[1, 1]; L[2, 1] = L[2, 1];`;

const isOneOperation = (model: string) =>
  compileProgram(program(model), { libraryKeys }).program?.javascript.includes('$add_to_diagonal(');

describe('a factor stored in order', () => {
  it.each([
    ['multi_normal_cholesky of data', 'y ~ multi_normal_cholesky(rep_vector(0, N), L);'],
    ['with constants', 'target += multi_normal_cholesky_lpdf(y | rep_vector(0.1, N), L);'],
    ['of parameters', 'z ~ multi_normal_cholesky(y, L);'],
    ['at parameters', 'y ~ multi_normal_cholesky(z * sigma, L);'],
    ['of the same on both sides', 'z ~ multi_normal_cholesky(z * alpha, L);'],
    ['times a vector', 'vector[N] f = L * z; y ~ normal(f, sigma);'],
    ['times data', 'target += sum(L * y);'],
    ['with its elements', 'target += sum(L) + L[3, 2] * L[1, 2] + dot_self(L * z);'],
    ['twice', 'y ~ multi_normal_cholesky(L * z, L); target += -sum(log(diagonal(L)));'],
    ['and the matrix itself', 'y ~ multi_normal(L * z, K);'],
  ])('%s', (_, model) => {
    expect(isOneOperation(inOrder + model)).toBe(true);
    const one = modelOf(program(inOrder + model), data);
    expect(gradientError(one, 1)).toBeLessThan(1e-6);
    expectSameDensity(one, modelOf(program(general + model), data, { adjoint: false }), 1e-11);
  });

  const long = Array.from({ length: 21 }, (_, i) => 0.3 * i + Math.sin(i) / 5);
  const larger = { ...data, N: 21, x: long, y: long.map((t) => Math.cos(2 * t)) };
  const plus = 'matrix[N, N] P = K + K .* K;';

  it.each([
    ['a covariance', '', 'y ~ multi_normal(rep_vector(0, N), K);'],
    ['with constants', '', 'target += multi_normal_lpdf(y | rep_vector(0.1, N), K);'],
    ['of parameters on both sides', '', 'z ~ multi_normal(z * alpha - y, K);'],
    ['a precision', '', 'y ~ multi_normal_prec(z, K);'],
    ['a precision, with constants', '', 'target += multi_normal_prec_lpdf(z | z * sigma + y, K);'],
    ['a sum', plus, 'y ~ multi_normal(z, P);'],
    ['a sum as precision', plus, 'z ~ multi_normal_prec(y, P);'],
    ['not one, but near', 'matrix[N, N] P = K; P[2, 1] += 1e-9;', 'y ~ multi_normal(z, P);'],
  ])('%s of a multivariate normal density is read where it is', (_, prefix, model) => {
    for (const values of [data, larger]) {
      const one = modelOf(program(`${covariance} ${diagonal} ${prefix} ${model}`), values);
      expect(gradientError(one, 1)).toBeLessThan(1e-6);
      const text = `${general} ${prefix} ${model}`;
      expectSameDensity(one, modelOf(program(text), values, { adjoint: false }), 1e-10);
    }
  });

  it.each([
    ['K[2, 1] = 0.1 + K[2, 1];', 'z', /not symmetric/],
    ['for (n in 1:N) K[n, n] += -2 * square(alpha);', 'z', /not positive definite/],
    ['', 'z[1:M]', /location parameter \(4\)/],
  ])('says what is wrong with it: %s', (change, location, message) => {
    for (const density of ['multi_normal', 'multi_normal_prec']) {
      const model = `${covariance} ${change} K = 1 * K; y ~ ${density}(${location}, K);`;
      const { error } = evaluate(modelOf(program(model), data), new Float64Array(9));
      expect(error).toMatch(message);
    }
  });

  it('rejects what is not a covariance or not an outcome', () => {
    const source = program(`${inOrder} y ~ multi_normal_cholesky(z, L);`);
    const model = modelOf(source, data);
    const theta = new Float64Array(9);
    theta[4] = Infinity;
    expect(evaluate(model, theta).error).toMatch(/Location parameter/);
    const singular = `${covariance} for (n in 1:N) K[n, n] += -2 * square(alpha); ${factor} target += sum(L);`;
    expect(evaluate(modelOf(program(singular), data), new Float64Array(9)).error).toMatch(
      /not positive definite/,
    );
    const short = program(`${inOrder} y[1:M] ~ multi_normal_cholesky(z, L);`);
    expect(evaluate(modelOf(short, data), new Float64Array(9)).error).toMatch(
      /ize of random variable \(4\)/,
    );
  });
});

describe('a loop over the diagonal', () => {
  const rng = testRng(3);
  const theta = Float64Array.from({ length: 9 }, () => 0.3 * rng.normal());
  const rest = `${factor} y ~ multi_normal_cholesky(z, L);`;

  it.each([
    'for (n in 1:N) K[n, n] += sigma;',
    'for (n in 1:N) { K[n, n] = 1e-3 + K[n, n]; }',
    'for (n in 1:M) K[n, n] = K[n, n] + sigma * alpha;',
    'K[1, 2] = K[1, 2]; for (n in 1:N) K[n, n] += sigma;',
    'for (n in 1:N) K[n, n] += jitter; for (n in 1:N) K[n, n] += sigma; K[1, 1] += 0.1;',
    'for (n in 1:(M - 4)) K[n, n] += sigma;',
  ])('%s', (loop) => {
    const model = covariance + loop + rest;
    expect(isOneOperation(model)).toBe(true);
    const source = program(model);
    const ends = {
      adjoint: modelOf(source, data),
      tape: modelOf(source, data, { adjoint: false }),
    };
    expect(differenceAt(ends, theta)).toBeLessThan(1e-12);
  });

  it.each([
    'for (n in 1:N) K[n, n] += x[n];',
    'for (n in 1:N) K[n, n] += n;',
    'for (n in 2:N) K[n, n] += sigma;',
    'for (n in 1:N) K[n, n] = K[n, n] + K[1, 1];',
    'for (n in 1:(N - 1)) K[n, n + 1] += 0;',
    'for (n in 1:N) K[n, n] = K[n, n] * (1 + sigma);',
  ])('does not become one operation: %s', (loop) => {
    expect(isOneOperation(covariance + loop)).toBe(false);
  });

  /** What follows reads the matrix, the one before, or both, in every way that knows where its elements are. */
  const uses = [
    ['the matrix before', 'matrix[N, N] B = K;', 'y ~ multi_normal(z, K); target += sum(B .* K);'],
    [
      'both factors',
      'matrix[N, N] B = K; K[1, 1] += 0;',
      'target += sum(cholesky_decompose(K)) + sum(cholesky_decompose(B + diag_matrix(rep_vector(1, N))));',
    ],
    [
      'its factor and another',
      '',
      `${factor} matrix[N, N] F = cholesky_decompose(K + 1); y ~ multi_normal_cholesky(F * z, L);`,
    ],
    [
      'the matrix after its factor',
      '',
      `${factor} y ~ multi_normal_cholesky(z, L); target += sum(K) + K[2, 2] + K[2, 1];`,
    ],
    ['a product', '', 'y ~ normal(K * z, sigma); target += sum(K * y) + sum(K * K);'],
    [
      'an inverse',
      '',
      'target += sum(inverse_spd(K)) + sum(mdivide_left_spd(K, z)) + sum(K \\ z);',
    ],
    [
      'its parts',
      '',
      "target += sum(diagonal(K)) + sum(K') + sum(to_vector(K)) + sum(K[2]) + dot_self(K[, 1]);",
    ],
    [
      'an assignment',
      '',
      'K[2, 1] += 0.01; K[1, 2] = K[2, 1]; y ~ multi_normal(z, K); target += sum(K);',
    ],
    [
      'an assignment after a copy',
      '',
      'matrix[N, N] B = K; K[2, 2] += 1; y ~ multi_normal(z, K); target += sum(B * B);',
    ],
    [
      'another diagonal',
      '',
      'for (n in 1:M) K[n, n] += alpha; y ~ multi_normal_prec(z, K); target += K[1, 1] * K[N, N];',
    ],
    [
      'a factor with something on its diagonal',
      '',
      `${factor} for (n in 1:N) L[n, n] += sigma; y ~ multi_normal_cholesky(z, L); target += sum(L * z);`,
    ],
    [
      'an unassigned matrix',
      'matrix[N, N] U; U = K;',
      'for (n in 1:N) U[n, n] += sigma; y ~ multi_normal(z, U); target += sum(K);',
    ],
    [
      'a matrix that is not square',
      'matrix[N, M] R = K[, 1:M]; R = R + 1; for (n in 1:M) R[n, n] += sigma;',
      "target += sum(R) + dot_self(R' * z) + dot_self(R * z[1:M]);",
    ],
  ] as const;

  it.each(uses)('before %s', (_, before, after) => {
    const long = Array.from({ length: 19 }, (_x, i) => 0.25 * i);
    const regular = Array.from({ length: 26 }, (_x, i) => 0.25 * i);
    for (const x of [data.x, long, regular]) {
      const N = x.length;
      const values = { ...data, N, x, y: x.map((t) => Math.cos(2 * t)) };
      const source = program(
        `${covariance} ${before} for (n in 1:N) K[n, n] += square(sigma) + jitter; ${after}`,
      );
      expect(compileProgram(source, { libraryKeys }).program?.javascript).toContain(
        '$add_to_diagonal(',
      );
      const ends = {
        adjoint: modelOf(source, values),
        tape: modelOf(source, values, { adjoint: false }),
      };
      const at = Float64Array.from({ length: 3 + N }, () => 0.3 * rng.normal());
      // the second time, repeated distances are known
      for (let time = 0; time < 3; time++) {
        expect(differenceAt(ends, at)).toBeLessThan(1e-10);
        at[0] += 0.1;
      }
    }
  });

  it.each([0, 1])('of %i points', (N) => {
    const values = { ...data, N, M: 0, x: data.x.slice(0, N), y: data.y.slice(0, N) };
    for (const density of ['multi_normal(z, K)', 'multi_normal_cholesky(z, L)']) {
      const source = program(`${covariance} ${diagonal} ${factor} y ~ ${density};`);
      const ends = {
        adjoint: modelOf(source, values),
        tape: modelOf(source, values, { adjoint: false }),
      };
      expect(differenceAt(ends, theta.slice(0, 3 + N))).toBeLessThan(1e-12);
    }
  });

  it.each([
    ['K[2, 1] = 0.1 + K[2, 1];', /not symmetric: m\[2,1\] = /],
    ['K[2, 1] = 0.1 + K[2, 1]; K = 1 * K;', /not symmetric: m\[2,1\] = /],
    ['K[1, 1] = -1;', /Matrix m is not positive definite/],
    ['K = -1 * K;', /Matrix m is not positive definite/],
    ['K[3, 3] = log(-sigma);', /Matrix m is not positive definite/],
    ['K[4, 3] = log(-sigma);', /not symmetric: m\[4,3\] = NaN/],
  ])('of a matrix without a factor: %s', (change, message) => {
    const source = program(
      `${covariance} ${change} for (n in 1:N) K[n, n] += sigma; ${factor} target += sum(L);`,
    );
    const { error } = evaluate(modelOf(source, data), theta);
    expect(error).toMatch(message);
    expect(error).toBe(evaluate(modelOf(source, data, { adjoint: false }), theta).error);
  });

  it('refuses to go beyond the matrix', () => {
    const source = program(`${covariance} for (n in 1:(N + 1)) K[n, n] += sigma; ${rest}`);
    const { error } = evaluate(modelOf(source, data), theta);
    expect(error).toMatch(/7/);
    expect(error).toBe(evaluate(modelOf(source, data, { adjoint: false }), theta).error);
  });
});
