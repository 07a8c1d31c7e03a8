/**
 * Functions newer than the Stan version behind tests/fixtures/rstan: values and derivatives against
 * mpmath's, and a list of the tests for those that are not functions of numbers.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { libraryNames } from '../../../src/language/types/signatures/signature-table.ts';
import complex from '../../fixtures/math/complex.json';
import expressions from '../../fixtures/math/expressions.json';
import newer from '../../fixtures/math/newer.json';
import { modelOf, outputsAt } from '../../support/stan-program.ts';

it.each(expressions as [string, number][])('%s', (expression, expected) => {
  const model = modelOf(`generated quantities { real value = ${expression}; }`);
  const { value } = outputsAt(model);
  expect(Math.abs(value - expected) / Math.max(1, Math.abs(expected))).toBeLessThan(1e-12);
});

type Row = [expression: string, x: number[], value: number, gradient: number[]];

it.each(newer as Row[])('%s at %j, with its derivatives', (expression, x, expected, slopes) => {
  const text = expression.replaceAll('$', 'x');
  const names = x.map((_, i) => `real x${i + 1};`).join(' ');
  const model = modelOf(`parameters { ${names} } model { target += ${text}; }`);
  const gradient = new Float64Array(x.length);
  const value = model.logDensityGradient(Float64Array.from(x), gradient);
  expect(Math.abs(value - expected)).toBeLessThan(1e-11 * (1 + Math.abs(expected)));
  const largest = Math.max(1, ...slopes.map(Math.abs));
  slopes.forEach((slope, i) => {
    expect(Math.abs(gradient[i] - slope), `x${i + 1}`).toBeLessThan(
      1e-8 * Math.abs(slope) + 1e-10 * largest,
    );
  });
  // values of data take a different path than those of parameters
  const data = x.map((number, i) => `real x${i + 1} = ${number};`).join(' ');
  const plain = modelOf(`transformed data { ${data} } generated quantities { real y = ${text}; }`);
  expect(Math.abs(outputsAt(plain).y - expected)).toBeLessThan(1e-11 * (1 + Math.abs(expected)));
});

/** Other tests of functions that Stan 2.21 does not know: a file, and where in it they are called or listed. */
const elsewhere: readonly (readonly [names: RegExp, file: string, what: string])[] = [
  [
    /_rng$/,
    'tests/math/library/random.test.ts',
    'every random function of the language is tested here or in another file',
  ],
  [/^wiener_lc?cdf_unnorm$/, 'tests/math/library/wiener.test.ts', 'wiener_lcdf_unnorm'],
  [
    /_(constrain|unconstrain|jacobian)$/,
    'tests/language/emit/transforms.test.ts',
    'matches the declared constraint',
  ],
  [/^reduce_sum(_static)?$/, 'tests/language/emit/higher-order.test.ts', 'is the sum of all terms'],
  [
    /^(integrate_)?ode_/,
    'tests/language/emit/higher-order.test.ts',
    "describe('differential equations'",
  ],
  [/^dae(_tol)?$/, 'tests/language/emit/dae.test.ts', 'matches closed forms'],
  [
    /^(solve_(newton|powell)(_tol)?|algebra_solver_newton)$/,
    'tests/language/emit/higher-order.test.ts',
    "describe('roots of equations'",
  ],
  [/^integrate_1d/, 'tests/language/emit/higher-order.test.ts', "describe('integrals'"],
  [
    /^(laplace_|generate_laplace_options)/,
    'tests/language/emit/laplace.test.ts',
    'agrees with reference values and gradients',
  ],
  [/^hmm_hidden_state_prob$/, 'tests/math/library/hidden-markov.test.ts', 'hmm_hidden_state_prob'],
  [
    /^(get_real|get_imag|conj|to_complex|arg|norm|proj|polar)$/,
    'tests/engine/complex/values.test.ts',
    'extract parts and promote types as Stan does',
  ],
  [/^csr_extract$/, 'tests/engine/tuples.test.ts', 'are returned by decompositions'],
  [
    /^(ones|zeros|one_hot|linspaced|uniform_simplex|identity_matrix)/,
    'tests/language/emit/statements.test.ts',
    "describe('values by hand'",
  ],
  // no derivative: neither takes parameters
  [/^discrete_range_/, 'tests/fixtures/math/expressions.json', 'discrete_range_lccdf'],
  [/^quantile$/, 'tests/fixtures/math/expressions.json', 'quantile('],
];

describe('every function newer than Stan 2.21', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const old = new Set(read('tests/fixtures/rstan/names.txt').trim().split('\n'));
  const names = libraryNames().filter((name) => !old.has(name) && !/_lup[dm]f$/.test(name));

  it('is tested against mpmath or NumPy, or in another test', () => {
    expect(names.length).toBeGreaterThan(180);
    const texts = [
      ...(newer as Row[]).map(([expression]) => expression),
      ...Object.keys(complex.matrices.values),
      ...Object.keys(complex.matrices.eigenvalues).map((matrix) => `eigenvalues(${matrix})`),
    ].join('\n');
    const isCompared = (name: string) => new RegExp(`\\b${name}\\(`).test(texts);
    const isTested = (name: string) => elsewhere.some(([pattern]) => pattern.test(name));
    expect(names.filter((name) => !isCompared(name) && !isTested(name))).toEqual([]);
    // nothing is listed needlessly
    const needless = elsewhere.filter(([pattern]) => !names.some((name) => pattern.test(name)));
    expect(needless).toEqual([]);
  });

  it.each(elsewhere)('%s in %s', (_, file, what) => {
    expect(read(file).includes(what)).toBe(true);
  });
});
