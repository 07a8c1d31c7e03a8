/** Normal regressions on data, which are decomposed once, against the sums that the tape records. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, evaluate, worstDifference } from '../../support/back-ends.ts';
import { testRng } from '../../support/stan-program.ts';

const N = 40;
const K = 3;
const rng = testRng(7);
const columns = Array.from({ length: N }, (_, i) => {
  const x = rng.normal();
  // far from zero, and two columns that are almost the same
  return [100 + x, 100 + x + 1e-4 * rng.normal(), i / 10];
});
const data = {
  N,
  K,
  x: columns,
  y: columns.map(([a, , c]) => 0.1 * a - c + rng.normal()),
  spread: columns.map(([, , c]) => 1 + c),
  level: 0.4,
};

const program = (model: string) => `
data { int N; int K; matrix[N, K] x; vector[N] y; vector[N] spread; real level; }
transformed data {
  matrix[N, K + 1] withOnes = append_col(rep_vector(1, N), x);
  vector[N] u = x[ : , 1];
  vector[N] v = x[ : , 3];
}
parameters { real a; vector[K] b; vector[K + 1] c; real<lower=0> s; }
model { a ~ normal(0, 5); b ~ normal(0, 0.1); c ~ normal(0, 0.1); s ~ exponential(1); ${model} }`;

function isSettled(model: string): boolean {
  const { program: compiled } = compileProgram(program(model), { libraryKeys });
  return compiled?.javascript.includes('$settled_regression_density') ?? false;
}

describe('a normal regression of data', () => {
  it.each([
    ['written out', 'y ~ normal(x * b, s);'],
    ['with an intercept', 'y ~ normal(a + x * b, s);'],
    ['with an intercept that is data', 'y ~ normal(x * b + level, s);'],
    ['with a column of ones', 'y ~ normal(withOnes * c, s);'],
    ['with a scale that is data', 'y ~ normal(a + x * b, level);'],
    ['called by its name', 'y ~ normal_id_glm(x, a, b, s);'],
    ['with its constants', 'target += normal_id_glm_lpdf(y | x, a, b, s);'],
    ['beside another of the same data', 'y ~ normal(a + x * b, s); y ~ normal(x * b, 2 * s);'],
    ['of columns', 'y ~ normal(a + b[1] * u + v * b[2], s);'],
    ['of one column', 'y ~ normal(a + b[1] * u, s);'],
    ['of columns without an intercept', 'y ~ normal(b[1] * (u - 100) - b[2] * v, s);'],
    ['of a column with a fixed weight', 'y ~ normal(a - (v - b[1] * u - c[1]), level);'],
    ['of an array of outcomes', 'to_array_1d(y) ~ normal(a + b[1] * (u .* v), s);'],
    ['after a loop', 'for (n in 1:N) target += b[1] * u[n] * c[1]; y ~ normal(a + b[1] * v, s);'],
  ])('%s', (_, model) => {
    expect(isSettled(model)).toBe(true);
    expect(worstDifference(backEndsOf(program(model), data), 5)).toBeLessThan(1e-11);
  });

  it('keeps a term for each observation if observations have their own scales or predictors', () => {
    expect(isSettled('y ~ normal(a + x * b, spread);')).toBe(false);
    expect(isSettled('y ~ normal(a * spread + x * b, s);')).toBe(false);
    expect(isSettled('y ~ normal(a + exp(b[1] * u), s);')).toBe(false);
    expect(isSettled('y ~ normal(a + b[1] * u, 1 + spread);')).toBe(false);
  });

  it.each([1, 2, 6])('may have as few as %i observations', (n) => {
    const few = {
      ...data,
      N: n,
      x: data.x.slice(0, n),
      y: data.y.slice(0, n),
      spread: data.spread.slice(0, n),
    };
    const source = program('y ~ normal(a + x * b, s);');
    expect(worstDifference(backEndsOf(source, few), 3)).toBeLessThan(1e-11);
    const columns = program('y ~ normal(a + b[1] * u + b[2] * v, s);');
    expect(worstDifference(backEndsOf(columns, few), 3)).toBeLessThan(1e-11);
  });

  it('rejects what the density of columns rejects', () => {
    const { adjoint, tape } = backEndsOf(program('y ~ normal(a + b[1] * u, a);'), data);
    const theta = new Float64Array(9).fill(-0.5);
    expect(evaluate(adjoint, theta).error).toMatch(/Scale parameter is -0.5, but must be positive/);
    expect(evaluate(adjoint, theta).error).toBe(evaluate(tape, theta).error);
  });

  it('rejects what the density rejects', () => {
    const source = program('y ~ normal_id_glm(x, a, b, a);');
    const { adjoint, tape } = backEndsOf(source, data);
    const theta = new Float64Array(9).fill(-0.5);
    expect(evaluate(adjoint, theta).error).toMatch(/Scale vector is -0.5, but must be positive/);
    expect(evaluate(adjoint, theta).error).toBe(evaluate(tape, theta).error);
    theta[0] = 1;
    theta[2] = Number.NaN;
    expect(evaluate(adjoint, theta).error).toBe(evaluate(tape, theta).error);
  });
});
