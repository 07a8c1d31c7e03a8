/** Loops over vectors with a multivariate density: the matrix is factorised once, and the density is the same. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, evaluate, worstDifference } from '../../support/back-ends.ts';

const data = {
  J: 3,
  y: [
    [0.3, 1],
    [-1, 0.2],
    [2, 0.5],
  ],
  S: [
    [2, 0.3],
    [0.3, 1],
  ],
};
const programOf = (statement: string) => `data { int J; array[J] vector[2] y; cov_matrix[2] S; }
parameters { array[J] vector[2] b; array[J] vector[2] m; vector[2] mu; cov_matrix[2] C; cholesky_factor_cov[2] L;
  vector<lower=0>[2] tau; cholesky_factor_corr[2] R; matrix[3, 2] B; }
model { ${statement} }`;

function loopsOf(source: string): number {
  const javascript = compileProgram(source, { libraryKeys }).program?.javascript ?? '';
  return javascript.split('for (let').length - 1;
}

describe('a density in a loop over an array of vectors', () => {
  it.each([
    'for (j in 1:J) b[j] ~ multi_normal(mu, C);',
    'for (j in 2:J) { target += multi_normal_lpdf(b[j] | mu, S); }',
    'for (j in 1:J) b[j] ~ multi_normal_prec(m[j], C);',
    'for (j in 1:J) y[j] ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, R));',
    'for (j in 1:J) y[j] ~ multi_normal(m[j], quad_form_diag(S, tau));',
    'for (j in 1:J) mu ~ multi_normal_cholesky(m[j], L);',
    'if (J > 2) for (j in 1:J) b[j] ~ multi_normal(mu, C); else mu ~ normal(0, 1);',
    'for (j in 3:2) b[j] ~ multi_normal(mu, C); mu ~ normal(0, 1);',
    'for (j in 3:2) b[j] ~ multi_normal(mu, -C); mu ~ normal(0, 1);',
    'for (j in 3:2) b[j] ~ multi_normal(m[9], C); mu ~ normal(0, 1);',
  ])('%s is one density', (statement) => {
    const source = programOf(statement);
    expect(loopsOf(source)).toBe(0);
    expect(worstDifference(backEndsOf(source, data), 5)).toBeLessThan(1e-12);
  });

  it.each([
    'for (j in 1:J) b[j] ~ multi_normal(mu * j, C);',
    'for (j in 1:J) b[J + 1 - j] ~ multi_normal(mu, C);',
    'for (j in 1:J) b[j] ~ multi_normal(m[J + 1 - j], C);',
    "for (j in 1:J) B[j]' ~ multi_normal(mu, C);",
    'for (j in 1:J) { b[j] ~ multi_normal(mu, C); mu ~ normal(j, 1); }',
    'for (j in 1:J) mu ~ multi_normal(m[2], C);',
  ])('%s stays a loop', (statement) => {
    const source = programOf(statement);
    expect(loopsOf(source)).toBeGreaterThan(0);
    expect(worstDifference(backEndsOf(source, data), 5)).toBeLessThan(1e-12);
  });

  it.each([
    ['for (j in 1:J + 1) b[j] ~ multi_normal(mu, C);', 'accessing `b`: index 4 is out of range'],
    ['for (j in 1:J) b[j] ~ multi_normal(mu, -C);', 'Covariance matrix is not positive definite'],
    ['for (j in 1:J) b[j] ~ multi_normal(tau[1:1], C);', 'must match'],
  ])('%s throws what the loop throws', (statement, message) => {
    const both = backEndsOf(programOf(statement), data);
    const at = new Float64Array(both.tape.numUnconstrained).fill(0.1);
    const [adjoint, tape] = [evaluate(both.adjoint, at), evaluate(both.tape, at)];
    expect(tape.error).toContain(message);
    expect(adjoint.error?.replace(/ \(in .*/, '')).toBe(tape.error?.replace(/ \(in .*/, ''));
  });
});
