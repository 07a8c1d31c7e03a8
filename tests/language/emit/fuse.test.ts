/** Fused forms give the same as their parts: random expressions, densities of scalars, regressions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emittedText,
  gradientError,
  logDensityAt,
  modelOf,
  outputsAt,
  pointOf,
} from '../../support/stan-program.ts';

const declarations = `
data { real s; vector[3] y; }
parameters { real p; real q; vector[3] v; vector[3] w; }`;
const data = { s: 0.7, y: [0.3, -1.1, 2] };

/** Expressions that stay finite near standard normal points. */
const scalar = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('p', 'q', 's', 'v[2]', 'w[1]', '2', '0.5', 'y[3]'),
    fc
      .tuple(tie('e'), fc.constantFrom('+', '-', '*'), tie('e'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `(${a} / (1.5 + square(${b})))`),
    fc
      .tuple(fc.constantFrom('square', 'tanh', 'inv_logit', 'sin', 'cos', '-'), tie('e'))
      .map(([f, a]) => `${f}(${a})`),
    fc
      .tuple(fc.constantFrom('sqrt', 'log', 'log1p', 'inv'), tie('e'))
      .map(([f, a]) => `${f}(1 + square(${a}))`),
    tie('e').map((a) => `exp(-square(${a}))`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `log_sum_exp(${a}, ${b})`),
    fc
      .tuple(tie('e'), tie('e'), tie('e'))
      .map(([p, a, b]) => `log_mix(inv_logit(${p}), tanh(${a}), ${b})`),
    tie('e').map((a) => `expm1(tanh(${a}))`),
    fc
      .tuple(tie('e'), fc.constantFrom('2', '3', '0.5', '-1', '1.7'))
      .map(([a, k]) => `(1 + square(tanh(${a}))) ^ ${k}`),
  ),
})).e;

const vector = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('v', 'w', 'y', 'v[{3, 1, 2}]', 'w[1:3]'),
    fc
      .tuple(tie('e'), fc.constantFrom('+', '-', '.*'), tie('e'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(fc.constantFrom('p', 'q', 's', '2'), fc.constantFrom('+', '-', '*'), tie('e'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `(${a} ./ (1.5 + square(${b})))`),
    fc.tuple(tie('e'), fc.constantFrom('(1 + square(p))', 's')).map(([a, b]) => `(${a} / ${b})`),
    fc
      .tuple(fc.constantFrom('square', 'tanh', 'inv_logit', '-'), tie('e'))
      .map(([f, a]) => `${f}(${a})`),
  ),
})).e;

function check(e: string): void {
  const model = modelOf(
    `${declarations} model { target += ${e}; } generated quantities { real value = ${e}; }`,
    data,
  );
  const theta = pointOf(model, 11);
  const value = logDensityAt(model, theta);
  fc.pre(Math.abs(value) < 1e4);
  expect(Math.abs(value - outputsAt(model, theta).value)).toBeLessThan(
    1e-10 * Math.max(1, Math.abs(value)),
  );
  expect(gradientError(model, 11)).toBeLessThan(1e-6);
}

describe('fused arithmetic', () => {
  it('of scalars has the right value and gradient', () => {
    fc.assert(fc.property(scalar, check), { numRuns: 60, seed: 20250701 });
  });

  it('of vectors has the right value and gradient', () => {
    fc.assert(
      fc.property(vector, (e) => check(`sum(square(0.3 + ${e}))`)),
      { numRuns: 60, seed: 20250702 },
    );
  });

  it('checks the sizes of vectors', () => {
    const model = modelOf(
      'parameters { vector[3] v; vector[2] w; } model { target += sum(2 * v + w .* w); }',
    );
    expect(() => logDensityAt(model, new Float64Array(5))).toThrow(
      'sizes of the operands must match: found 3 and 2',
    );
  });
});

describe('fused densities of scalars', () => {
  const vectorised: Readonly<Record<string, string>> = {
    'normal_lpdf(p | q, exp(v[1]))': "normal_lpdf([p]' | [q]', [exp(v[1])]')",
    'normal_lpdf(s | 2 * p + v[1], 1 + q * q)': "normal_lpdf([s]' | [2 * p + v[1]]', [1 + q * q]')",
    'normal_lupdf(p | 0.5, 2)': "normal_lupdf([p]' | 0.5, 2)",
    'normal_lupdf(p | q, s)': "normal_lupdf([p]' | q, s)",
    'normal_lupdf(1.5 | q, exp(p))': "normal_lupdf([1.5]' | q, exp(p))",
    'bernoulli_logit_lpmf(1 | p * q)': 'bernoulli_logit_lpmf({1} | p * q)',
    'bernoulli_logit_lpmf(0 | p * q)': 'bernoulli_logit_lpmf({0} | p * q)',
    'bernoulli_lpmf(1 | inv_logit(p))': 'bernoulli_lpmf({1} | inv_logit(p))',
    'bernoulli_lpmf(0 | inv_logit(p))': 'bernoulli_lpmf({0} | inv_logit(p))',
  };
  it.each(Object.entries(vectorised))('%s is %s', (one, all) => {
    const densities = [one, all].map((e) =>
      modelOf(`${declarations} model { target += ${e}; }`, data),
    );
    expect(
      emittedText(
        `${declarations} model { target += ${one}; }`.replace(
          /data \{.*\}\n/,
          'transformed data { real s = 0.7; vector[3] y; }\n',
        ),
      ),
    ).toContain('kernel$$0');
    const theta = pointOf(densities[0], 3);
    expect(logDensityAt(densities[0], theta)).toBeCloseTo(logDensityAt(densities[1], theta), 12);
    expect(gradientError(densities[0], 3)).toBeLessThan(1e-7);
  });

  it.each([
    ['normal_lpdf(p | 0, q)', [0, -1], 'is -1, but must be positive'],
    ['normal_lpdf(p / 0 | 0, 1)', [0, 0], 'must be not nan'],
    ['normal_lpdf(0 | p / 0, 1)', [1, 0], 'must be finite'],
    ['bernoulli_lpmf(1 | p)', [1.5, 0], 'is 1.5, but must be in the interval [0, 1]'],
    ['bernoulli_logit_lpmf(2 | p)', [1.5, 0], 'must be in the interval [0, 1]'],
  ])('%s reports what is wrong', (e, [p, q], message) => {
    const model = modelOf(`parameters { real p; real q; } model { target += ${e} + q * q; }`);
    expect(() => logDensityAt(model, Float64Array.of(p, q))).toThrow(message);
  });
});

describe('regressions', () => {
  const source = (density: string, predictor: string, written: boolean) => `
data { int n; matrix[n, 2] x; vector[n] y; array[n] int k; }
parameters { real a; vector[n] av; vector[2] b; real<lower=0> s; }
model { ${written ? `vector[n] mu = ${predictor};` : ''} ${density.replace('MU', written ? 'mu' : predictor)}; }`;
  const x = [
    [1, 2],
    [0.5, -1],
    [2, 0.3],
    [-1, 1],
  ];
  const rows = { n: 4, x, y: [1, 2, 0.5, -1], k: [1, 0, 1, 1] };
  const densities = [
    'y ~ normal(MU, s)',
    'k ~ bernoulli_logit(MU)',
    'k ~ poisson_log(MU)',
    'k ~ neg_binomial_2_log(MU, s)',
    'target += normal_lpdf(y | MU, s)',
  ];
  const predictors = ['x * b', 'a + x * b', 'x * b + a', 'av + x * b', 'x * b + av'];
  it.each(densities.flatMap((d) => predictors.map((p) => [d, p])))(
    '%s with %s',
    (density, predictor) => {
      const fused = modelOf(source(density, predictor, false), rows);
      const parts = modelOf(source(density, predictor, true), rows);
      const theta = pointOf(fused, 5);
      expect(logDensityAt(fused, theta)).toBeCloseTo(logDensityAt(parts, theta), 11);
      expect(gradientError(fused, 5)).toBeLessThan(1e-7);
    },
  );
});
