/** Truncation of vectors and arrays: each element is truncated. */
import { describe, expect, it } from 'vitest';
import type { DataJson } from '../../../src/language/program.ts';
import { expectSameDensity } from '../../support/same-density.ts';
import { gradientError, logDensityAt, modelOf } from '../../support/stan-program.ts';

const data: DataJson = {
  N: 3,
  y: [0.4, 1.2, 0.9],
  L: 0.1,
  U: 2.5,
  k: [1, 4, 2],
  inside: [2, 3, 1],
};
const program = (
  statement: string,
) => `data { int N; array[N] real y; real L; real U; array[N] int k; array[N] int inside; }
  parameters { real mu; vector[N] m; row_vector<lower=0.3>[N] s; real<lower=0> rate; }
  model { mu ~ normal(0, 1); m ~ normal(0, 1); s ~ normal(0, 1); rate ~ normal(2, 1); ${statement} }`;

describe('a truncated container', () => {
  it.each([
    ['y ~ normal(mu, 1.5) T[L, ]', 'y[n] ~ normal(mu, 1.5) T[L, ]'],
    ['y ~ normal(m, 1.5) T[ , U]', 'y[n] ~ normal(m[n], 1.5) T[ , U]'],
    ['y ~ normal(m * 4, s + 1) T[L, U]', 'y[n] ~ normal(m[n] * 4, s[n] + 1) T[L, U]'],
    ['m + 5 ~ normal(mu, s) T[mu - 9, ]', 'm[n] + 5 ~ normal(mu, s[n]) T[mu - 9, ]'],
    ['k ~ poisson(rate) T[1, ]', 'k[n] ~ poisson(rate) T[1, ]'],
    ['k ~ poisson(exp(m)) T[1, 6]', 'k[n] ~ poisson(exp(m[n])) T[1, 6]'],
    [
      'inside ~ binomial(k, inv_logit(mu)) T[ , 3]',
      'inside[n] ~ binomial(k[n] , inv_logit(mu)) T[ , 3]',
    ],
  ])('%s is a loop', (whole, loop) => {
    const values = whole.startsWith('inside') ? { ...data, k: [4, 4, 5] } : data;
    const model = modelOf(program(`${whole};`), values);
    const each = modelOf(program(`for (n in 1:N) ${loop};`), values);
    expectSameDensity(model, each, 1e-12);
    expectSameDensity(model, modelOf(program(`${whole};`), values, { adjoint: false }), 1e-12);
    expect(gradientError(model, 1)).toBeLessThan(1e-6);
  });

  it('has density 0 if an element is outside, and refuses sizes that do not match', () => {
    const at = (statement: string) => () =>
      logDensityAt(modelOf(program(statement), data), new Float64Array(8));
    expect(at('y ~ normal(mu, 1) T[0.5, ];')()).toBe(-Infinity);
    expect(at('y ~ normal(append_row(m, m), 1) T[L, ];')).toThrow(/size/);
  });
});
