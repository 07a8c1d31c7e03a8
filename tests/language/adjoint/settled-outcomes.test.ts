/** Multivariate normal outcomes that are data, which are decomposed once, against the sums that the tape records. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, evaluate, worstDifference } from '../../support/back-ends.ts';
import { testRng } from '../../support/stan-program.ts';

const [N, K] = [40, 3];
const rng = testRng(8);
const data = {
  N,
  K,
  y: Array.from({ length: N }, () => {
    const x = rng.normal();
    // far from zero, and two elements that are almost the same
    return [100 + x, 100 + x + 1e-3 * rng.normal(), rng.normal()];
  }),
  S: [
    [2, 0.3, 0],
    [0.3, 1, 0.1],
    [0, 0.1, 3],
  ],
  level: [100, 100, 0],
};
const programOf = (model: string) => `
data { int N; int K; array[N] vector[K] y; cov_matrix[K] S; vector[K] level; }
parameters { vector[K] mu; cov_matrix[K] C; cholesky_factor_cov[K] L; array[N] vector[K] each; vector[2] short; }
model { mu ~ normal(100, 1); ${model} }`;

function isSettled(model: string): boolean {
  const { program } = compileProgram(programOf(model), { libraryKeys });
  return program?.javascript.includes('$settled_outcomes_density') ?? false;
}

describe('a multivariate normal density of data', () => {
  it.each([
    'y ~ multi_normal(mu, C);',
    'y ~ multi_normal_prec(mu, C);',
    'y ~ multi_normal_cholesky(mu, L);',
    'target += multi_normal_lpdf(y | mu, C);',
    'y ~ multi_normal(level, C);',
    'y ~ multi_normal(mu, S);',
    'y[1:20] ~ multi_normal(mu, C); y[21:N] ~ multi_normal(-mu, C);',
    'for (n in 1:N) y[n] ~ multi_normal(mu, C);',
    'y[1:3] ~ multi_normal(mu, C);',
  ])('%s is decomposed once, and the same', (model) => {
    expect(isSettled(model)).toBe(true);
    expect(worstDifference(backEndsOf(programOf(model), data), 6)).toBeLessThan(1e-11);
  });

  it.each([
    'y ~ multi_normal(each, C);',
    'each ~ multi_normal(mu, C);',
    'y[1] ~ multi_normal(mu, C);',
    'mu ~ multi_normal(level, S);',
  ])('%s is left as it is', (model) => {
    expect(isSettled(model)).toBe(false);
  });

  it.each([
    ['y ~ multi_normal(mu, -C);', 'is not positive definite'],
    ['y ~ multi_normal(mu / 0, C);', 'Location parameter[1] is'],
    ['y ~ multi_normal(short, C);', 'must match'],
    ['y ~ multi_normal_cholesky(mu, -L);', 'must be positive finite'],
  ])('%s throws what the tape throws', (model, message) => {
    const both = backEndsOf(programOf(model), data);
    const at = new Float64Array(both.tape.numUnconstrained).fill(0.1);
    const [adjoint, tape] = [evaluate(both.adjoint, at), evaluate(both.tape, at)];
    expect(tape.error).toContain(message);
    expect(adjoint.error).toBe(tape.error);
  });

  it('reports an outcome that is not a number', () => {
    const odd = { ...data, y: data.y.map((row, n) => (n === 7 ? [NaN, 0, 0] : row)) };
    const both = backEndsOf(programOf('y ~ multi_normal(mu, C);'), odd);
    const at = new Float64Array(both.tape.numUnconstrained).fill(0.1);
    expect(evaluate(both.tape, at).error).toContain('Random variable');
    expect(evaluate(both.adjoint, at).error).toBe(evaluate(both.tape, at).error);
  });
});
