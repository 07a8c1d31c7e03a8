/** Densities and functions whose derivatives a region takes from the library, against the tape: one region each. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, countRegions, evaluate, worstDifference } from '../../support/back-ends.ts';

const data = {
  n: 3,
  y: [0.3, 0.8, 0.5],
  k: [1, 3, 2],
  x: [
    [0.2, 0.4, -0.3],
    [1.2, -0.4, 0.1],
    [0.5, 0.5, 2],
  ],
};

const program = (body: string) => `data { int n; array[n] real y; array[n] int k; matrix[n, n] x; }
parameters { real p; real<lower=0> q; vector[3] v; ordered[2] c; simplex[3] s; }
model { ${body} }`;

const compiled = (source: string) => compileProgram(source, { libraryKeys }).program;

describe('functions of the library in a region', () => {
  it.each([
    ['counts', 'for (i in 1:n) k[i] ~ neg_binomial_2_log(v[i] + p, q);'],
    ['counts with constants', 'for (i in 1:n) target += neg_binomial_2_lpmf(k[i] | exp(v[i]), q);'],
    [
      'the same parameter twice',
      'for (i in 1:n) target += beta_binomial_lpmf(2 | 4, q, q) * v[i];',
    ],
    ['survival times', 'for (i in 1:n) y[i] ~ weibull(q, exp(v[i]));'],
    [
      'censored outcomes',
      'for (i in 1:n) { if (y[i] > 0.4) target += normal_lccdf(y[i] | v[i], q); else y[i] ~ normal(v[i], q); }',
    ],
    ['truncation', 'for (i in 1:n) y[i] ~ normal(v[i], q) T[0, 2];'],
    ['ordered outcomes', 'for (i in 1:n) k[i] ~ ordered_logistic(v[i] * p, c);'],
    ['categories', 'for (i in 1:n) k[i] ~ categorical_logit(v);'],
    ['categories of a computed vector', 'for (i in 1:n) k[i] ~ categorical_logit(v * y[i] + p);'],
    ['categories with probabilities', 'for (i in 1:n) target += p * categorical_lpmf(k[i] | s);'],
    [
      'a prior among other statements',
      'vector[3] w; for (i in 1:n) w[i] = v[i] * p; s ~ dirichlet(exp(w)); target += w;',
    ],
    [
      'data in a vector',
      'for (i in 1:n) target += p * dirichlet_lpdf(s | rep_vector(2, 3) * y[i]);',
    ],
    [
      'functions of two scalars',
      'for (i in 1:n) target += lbeta(q, exp(v[i])) + lchoose(5 + q, 2);',
    ],
    [
      'expressions of vectors',
      'vector[3] w; for (i in 1:n) w[i] = v[i]; w = lbeta(exp(w), q) + w; target += w;',
    ],
    [
      'a branch of a choice',
      'for (i in 1:n) target += v[i] > 0 ? lbeta(q, exp(v[i])) : gamma_p(q, exp(v[i]));',
    ],
  ])('%s', (_, body) => {
    const source = program(body);
    expect(compiled(source)?.onTape).toEqual([]);
    expect(countRegions(compiled(source)?.javascript ?? '')).toBe(1);
    expect(worstDifference(backEndsOf(source, data), 8, 0.5)).toBeLessThan(1e-12);
  });

  it.each([
    ['for (i in 1:n) k[i] ~ neg_binomial_2(v[i], q);', 'Location parameter is -'],
    ['for (i in 1:n) k[i] ~ ordered_logistic(p, v);', 'greater than the one before'],
  ])('throw what the library throws: %s', (body, message) => {
    const both = backEndsOf(program(body), data);
    const at = Float64Array.of(0.3, 0.1, 2, -1, -2, 0, 0.2, 0.1, 0.4);
    const [adjoint, tape] = [evaluate(both.adjoint, at), evaluate(both.tape, at)];
    expect(adjoint.error).toContain(message);
    expect(adjoint.error).toBe(tape.error);
  });
});
