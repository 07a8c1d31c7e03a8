/** Expressions of vectors as loops over their elements: the tape's values and errors, and differences of the density. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import type { Model } from '../../../src/engine/model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import {
  backEndsOf,
  countRegions,
  differenceAt,
  evaluate,
  worstDifference,
} from '../../support/back-ends.ts';

const data = {
  N: 4,
  M: 3,
  y: [0.3, -1.1, 2, 0.7],
  x: [0.5, 1.5, -0.4, 0.2],
  k: [2, 1, 3, 1],
  o: [1, 0, 0, 1],
  m: [
    [1, 0.2, -0.3, 0.5],
    [0.1, -0.7, 0.4, 1.1],
    [0.9, 0.6, -0.2, 0.8],
  ],
};

const head = `
data { int N; int M; vector[N] y; vector[N] x; array[N] int k; array[N] int o; matrix[M, N] m; }
parameters { real p; real<lower=0> q; vector[N] v; vector[M] w; matrix[M, N] u; array[N] real g; }`;

function programOf(statements: string): string {
  return `${head}
model {
  ${statements}
  p ~ std_normal(); q ~ exponential(1); to_vector(u) ~ std_normal(); w ~ std_normal();
}`;
}

function javascriptOf(source: string): string {
  return compileProgram(source, { libraryKeys }).program?.javascript ?? '';
}

/** The largest difference of the gradient from central differences of the density, relative to its largest entry. */
function errorOfDifferences(model: Model): number {
  const n = model.numUnconstrained;
  const theta = Float64Array.from({ length: n }, (_, i) => 0.4 * Math.sin(1 + 2 * i));
  const { gradient } = evaluate(model, theta);
  const scale = gradient.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
  const h = 1e-5;
  let worst = 0;
  for (let i = 0; i < n; i++) {
    const [above, below] = [h, -h].map((step) => {
      const moved = theta.slice();
      moved[i] += step;
      return evaluate(model, moved).value;
    });
    worst = Math.max(worst, Math.abs((above - below) / (2 * h) - gradient[i]) / scale);
  }
  return worst;
}

const statements = [
  'y ~ normal(p + q * x, 1 + q * x);',
  'y ~ normal(p + q * x + w[2] * log1p_exp(x) .* y, q);',
  'y ~ normal(w[k] + p * x, q);',
  'y ~ normal(exp(w[k]) .* v, q + exp(w[k]));',
  'o ~ bernoulli_logit(w[k] .* (v - p));',
  'k ~ poisson_log(p + w[k] .* x);',
  'k ~ poisson(exp(v));',
  'y ~ student_t(3 + q, p * v, exp(v));',
  'y ~ cauchy(v .* v, q);',
  'y ~ double_exponential(tanh(v), 1.5);',
  'exp(v) ~ lognormal(p, q);',
  'exp(v) ~ gamma(2 + q, exp(-v));',
  'inv_logit(v) ~ beta(1 + q, 2);',
  'to_vector(g) ~ normal(p * v, 1);',
  'v[2 : ] ~ normal(p * v[ : N - 1], q);',
  "u[2]' ~ normal(p * v + u[1]', q);",
  'u[ : , 2] ~ normal(q * w, 1.5);',
  'target += v .* x;',
  'target += dot_product(v - p, x .* v);',
  'target += log_sum_exp(p * v + x);',
  'target += sum(square(v - mean(v)));',
  'vector[N] a = p + q * v; y ~ normal(a, q);',
  'vector[N] a = v; a = tanh(a .* a + p); a += v * q; y ~ normal(a, 1);',
  'vector[N] a = v / sum(v .* v); a = a / a[1]; target += dot_self(a);',
  'vector[N] a = v; a[2 : 3] = p * v[1 : 2]; a[1 : 2] = a[1 : 2] .* v[3 : 4]; target += dot_self(a);',
  "matrix[M, N] a; for (i in 1 : M) a[i] = p * u[i] + v'; target += dot_self(a[2]) + a[3, 1];",
  'real s = 0; for (i in 1 : N) { real r = exp(v[i]); s += dot_product(u[ : , i] * r, w + p); } target += s;',
  'for (i in 2 : N) v[i : ] ~ normal(p * v[i - 1], 1 + q * i);',
  "for (i in 1 : M) y ~ normal(w[i] * m[i]' + p, q);",
];

describe('expressions of vectors', () => {
  it.each(statements)('%s agrees with the tape', (statement) => {
    const source = programOf(statement);
    expect(countRegions(javascriptOf(source))).toBe(1);
    expect(worstDifference(backEndsOf(source, data), 6)).toBeLessThan(1e-12);
  });

  it.each(statements)('%s has the gradient of its density', (statement) => {
    const { adjoint } = backEndsOf(programOf(statement), data);
    expect(errorOfDifferences(adjoint)).toBeLessThan(1e-8);
  });
});

describe('errors in vectors', () => {
  const errorOf = (statement: string, theta: readonly number[] = []) => {
    const both = backEndsOf(programOf(statement), data);
    const at = Float64Array.from({ length: both.tape.numUnconstrained }, (_, i) => theta[i] ?? 0.3);
    // Throws where the messages differ.
    differenceAt(both, at);
    return evaluate(both.adjoint, at).error;
  };

  it.each([
    ['y ~ normal(p + q * x, x);', 'normal_lpdf: Scale parameter[3] is -0.4, but must be positive'],
    ['y ~ normal(p + log(x - 1) * q, 1);', 'Location parameter[1] is nan, but must be finite'],
    ['y ~ normal(v .* log(-v), 1);', 'Location parameter[1] is nan, but must be finite'],
    ['y ~ normal(p * v[2 : 3], 1);', 'size'],
    ['y ~ normal(v + w, 1);', 'sizes of the operands must match: found 4 and 3'],
    [
      'vector[3] a = p * v; target += a;',
      'is declared with size 3, but is assigned a value of size 4',
    ],
    ['vector[4] a = v; a[2 : 3] = p * v; target += a;', 'assigning to `a`: 2 places, but 4 values'],
    ['y ~ normal(p * w[{1, 2, 4, 1}], 1);', 'index 4 is out of range 1 to 3'],
    ['target += dot_product(p * v[3 : 5], w);', 'index 5 is out of range 1 to 4'],
  ])('%s fails as on the tape', (statement, message) => {
    expect(errorOf(statement)).toContain(message);
  });

  it('a range that ends before it begins is empty', () => {
    expect(errorOf('target += p * v[3 : 2]; target += sum(q * v[4 : 1]);')).toBeNull();
  });
});
