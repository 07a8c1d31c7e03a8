/** Densities and functions of scalars in a loop: the tape's value, derivatives and errors, whatever is active. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { densityForms } from '../../../src/language/adjoint/density-forms.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import {
  backEndsOf,
  countRegions,
  differenceAt,
  evaluate,
  worstDifference,
} from '../../support/back-ends.ts';

const data = { y: [0.3, 0.8, 0.5], k: [1, 0, 3], o: [0, 1, 1], s: 1.3 };
const head = `data { array[3] real y; array[3] int k; array[3] int o; real s; }
parameters { real p; real<lower=0> q; real<lower=0, upper=1> r; vector[3] v; }`;

function javascriptOf(source: string): string {
  return compileProgram(source, { libraryKeys }).program?.javascript ?? '';
}

function inLoop(statement: string): string {
  return `${head} model { v ~ std_normal(); for (n in 1:3) { ${statement} } }`;
}

type Choices = readonly [string, string][];
const anywhere: Choices = [
  ['y[n]', 'v[n]'],
  ['s', 'p'],
  ['s', 'q'],
];
const positive: Choices = [
  ['y[n]', 'exp(v[n])'],
  ['s', 'q'],
  ['2', 'exp(p)'],
];
const positiveLocated: Choices = [
  ['y[n]', 'exp(v[n])'],
  ['s', 'p'],
  ['s', 'q'],
];

/** Variate and arguments by density: data, then active. */
const arguments_: Readonly<Record<string, Choices>> = {
  normal_lpdf: [
    ['y[n]', 'v[n]'],
    ['s', 'p'],
    ['s', 'q'],
  ],
  std_normal_lpdf: [['y[n]', 'v[n]']],
  cauchy_lpdf: [
    ['y[n]', 'v[n]'],
    ['s', 'p'],
    ['s', 'q'],
  ],
  student_t_lpdf: [
    ['y[n]', 'v[n]'],
    ['3', '1 + q'],
    ['s', 'p'],
    ['s', 'q'],
  ],
  double_exponential_lpdf: [
    ['y[n]', 'v[n]'],
    ['s', 'p'],
    ['s', 'q'],
  ],
  exponential_lpdf: [
    ['y[n]', 'exp(v[n])'],
    ['s', 'q'],
  ],
  lognormal_lpdf: [
    ['y[n]', 'exp(v[n])'],
    ['s', 'p'],
    ['s', 'q'],
  ],
  gamma_lpdf: [
    ['y[n]', 'exp(v[n])'],
    ['s', 'q'],
    ['2', 'exp(p)'],
  ],
  inv_gamma_lpdf: [
    ['y[n]', 'exp(v[n])'],
    ['s', 'q'],
    ['2', 'exp(p)'],
  ],
  beta_lpdf: [
    ['y[n]', 'inv_logit(v[n])'],
    ['s', 'q'],
    ['2', 'exp(p)'],
  ],
  uniform_lpdf: [
    ['y[n]', 'tanh(v[n])'],
    ['-2', '-1 - q'],
    ['2', '1 + q'],
  ],
  bernoulli_logit_lpmf: [
    ['o[n]', 'o[n]'],
    ['s', 'v[n] * p'],
  ],
  bernoulli_lpmf: [
    ['o[n]', 'o[n]'],
    ['0.3', 'r'],
  ],
  poisson_log_lpmf: [
    ['k[n]', 'k[n]'],
    ['s', 'v[n]'],
  ],
  poisson_lpmf: [
    ['k[n]', 'k[n]'],
    ['s', 'q'],
  ],
  neg_binomial_2_lpmf: [
    ['k[n]', 'k[n]'],
    ['s', 'exp(v[n])'],
    ['s', 'q'],
  ],
  neg_binomial_2_log_lpmf: [
    ['k[n]', 'k[n]'],
    ['s', 'v[n]'],
    ['s', 'q'],
  ],
  binomial_lpmf: [
    ['k[n]', 'k[n]'],
    ['4', '4'],
    ['0.3', 'r'],
  ],
  binomial_logit_lpmf: [
    ['k[n]', 'k[n]'],
    ['4', '4'],
    ['0.3', 'v[n]'],
  ],
  logistic_lpdf: anywhere,
  gumbel_lpdf: anywhere,
  weibull_lpdf: positive,
  pareto_lpdf: [
    ['y[n]', 'exp(v[n])'],
    ['0.2', '0.1 * r'],
    ['s', 'q'],
  ],
  normal_lcdf: anywhere,
  normal_lccdf: anywhere,
  std_normal_lcdf: [['y[n]', 'v[n]']],
  std_normal_lccdf: [['y[n]', 'v[n]']],
  lognormal_lcdf: positiveLocated,
  lognormal_lccdf: positiveLocated,
  logistic_lcdf: anywhere,
  logistic_lccdf: anywhere,
  exponential_lcdf: positive.slice(0, 2),
  exponential_lccdf: positive.slice(0, 2),
  weibull_lcdf: positive,
  weibull_lccdf: positive,
};

/** Every combination of data and active arguments, with and without constants. */
function callsOf(name: string): string[] {
  const choices = arguments_[name];
  const [, stem = '', suffix = ''] = /^(.*)_(\w+)$/.exec(name) ?? [];
  const isTail = suffix.endsWith('cdf');
  return Array.from({ length: 2 ** choices.length }, (_, mask) => {
    const [variate, ...rest] = choices.map(([plain, active], k) =>
      (mask >> k) & 1 ? active : plain,
    );
    const given = rest.length > 0 ? `${variate} | ${rest.join(', ')}` : `${variate} | `;
    const full = `${stem}_${suffix}(${given})`;
    return `target += ${full};${isTail ? '' : ` ${variate} ~ ${stem}(${rest.join(', ')});`}`;
  });
}

describe('densities of scalars in a loop', () => {
  it.each(Object.keys(densityForms).filter((name) => name !== 'log_mix'))('%s', (name) => {
    expect(arguments_).toHaveProperty(name);
    for (const statement of new Set(callsOf(name))) {
      const source = inLoop(`${statement} target += v[n] * q;`);
      expect(countRegions(javascriptOf(source))).toBe(1);
      expect(worstDifference(backEndsOf(source, data), 4)).toBeLessThan(1e-12);
    }
  });

  it.each(Object.keys(arguments_))('%s of vectors', (name) => {
    for (const statement of new Set(callsOf(name))) {
      const inVector = statement.replaceAll(/\b([ykov])\[n\]/g, '$1').replaceAll('v * p', 'v');
      // Expressions of vectors stay on the tape.
      if (/\w\(v\)/.test(inVector) || !/\b[ykov]\b/.test(inVector)) continue;
      const source = `${head} model { vector[3] z; for (n in 1:3) z[n] = v[n] * q; ${inVector} target += z; }`;
      const javascript = javascriptOf(source);
      expect(countRegions(javascript)).toBe(1);
      expect(javascript).not.toContain(`target.add(${name}`);
      expect(worstDifference(backEndsOf(source, data), 3)).toBeLessThan(1e-12);
    }
  });

  it.each([
    ['weibull_lpdf(y[n] | 1, q)', 0],
    ['weibull_lpdf(y[n] | 1 + q, s)', 0],
    ['weibull_lpdf(y[n] | 1.5, q)', -1],
    ['weibull_lcdf(y[n] | q, s)', 0],
    ['weibull_lccdf(y[n] | q, s)', 0],
    ['lognormal_lcdf(y[n] | p, q)', 0],
    ['lognormal_lccdf(y[n] | p, q)', 0],
    ['exponential_lccdf(y[n] | q)', 0],
    ['pareto_lpdf(y[n] | 0.1 + q, s)', 0.01],
    ['normal_lcdf(y[n] | p, q)', -30],
    ['normal_lccdf(y[n] | p, q)', 1e200],
    ['logistic_lpdf(y[n] | p, q)', 1e5],
    ['logistic_lcdf(y[n] | p, q)', -1e5],
    ['gumbel_lpdf(y[n] | p, q)', -1e5],
  ])('%s at y = %d', (density, end) => {
    const source = inLoop(`target += ${density}; target += v[n] * q;`);
    expect(countRegions(javascriptOf(source))).toBe(1);
    const both = backEndsOf(source, { ...data, y: [0.3, end, 0.5] });
    expect(worstDifference(both, 4)).toBeLessThan(1e-12);
  });

  it('log_mix, also when a component has weight zero', () => {
    const both = backEndsOf(inLoop('target += log_mix(r, v[n], p * y[n]);'), data);
    expect(worstDifference(both, 4)).toBeLessThan(1e-12);
    for (const share of ['fmax(p, 0)', 'fmin(1 + q, 1)']) {
      const edge = backEndsOf(inLoop(`target += log_mix(${share}, v[n], q);`), data);
      expect(differenceAt(edge, Float64Array.of(-1, 0.2, 0, 0.1, 0.2, 0.3))).toBeLessThan(1e-12);
    }
  });
});

describe('errors', () => {
  const at = Float64Array.of(-0.5, 0.2, 0.4, -1, 2, 0.3);
  it.each([
    ['y[n] ~ normal(p, v[n]);', 'Scale parameter is -1, but must be positive'],
    ['y[n] ~ normal(p / 0, q);', 'must be finite'],
    ['v[n] ~ exponential(q);', 'Random variable is -1, but must be nonnegative'],
    ['target += weibull_lccdf(y[n] | v[n], q);', 'Shape parameter is -1'],
    ['target += lognormal_lcdf(v[n] | p, q);', 'Random variable is -1, but must be nonnegative'],
    ['y[n] ~ logistic(p, v[n]);', 'Scale parameter is -1'],
    ['target += normal_lccdf(y[n] | p, v[n]);', 'Scale parameter is -1'],
    ['target += v[n + 1];', 'accessing `v`: index 4 is out of range 1 to 3'],
    ['target += y[k[n] - 1] * p;', 'accessing `y`: index 0 is out of range 1 to 3'],
    ['vector[2] w; w[n] = v[n]; target += w[1];', 'accessing `w`: index 3 is out of range 1 to 2'],
    ['vector[k[n] - 2] w; target += p;', 'a size is -1: must be at least 0'],
    [
      'vector[2] w = v; target += w[1];',
      'is declared with size 2, but is assigned a value of size 3',
    ],
    ['target += p; if (v[n] > 1) reject("too far: ", v[n]);', 'too far: 2 (in model, line 2)'],
    ['target += p; if (v[n] > 1) fatal_error("at ", n);', 'at 2 (in model, line 2)'],
    ['target += log_mix(v[n], p, q);', 'mixing proportion is -1'],
    [
      'target += log_sum_exp(normal_lpdf(y[n] | p, q), normal_lpdf(y[n] | q, v[1]));',
      'Scale parameter is -1, but must be positive',
    ],
    ['target += dot_product(y2, v);', 'sizes 2 and 3 must match'],
    ['k[n] ~ binomial_logit(2, v[n]);', 'in the interval [0, 2]'],
    ['v ~ normal(0, v);', 'Scale parameter[1] is -1, but must be positive'],
    ['y ~ normal(0, v);', 'Scale parameter[1] is -1, but must be positive'],
    ['v ~ normal(y2, 1);', 'size of Location parameter (2) and size of Random variable (3)'],
    ['k ~ bernoulli_logit(v);', 'Random variable[3] is 3, but must be in the interval [0, 1]'],
    [
      'if (p > 0) target += v[4];\n target += v[4 + n];',
      'index 5 is out of range 1 to 3 (in model, line 3)',
    ],
  ])('thrown by %s match those of the tape', (statement, message) => {
    const source = inLoop(statement)
      .replace('v ~ std_normal();', '')
      .replace('data {', 'data { vector[2] y2;');
    expect(countRegions(javascriptOf(source))).toBe(1);
    const both = backEndsOf(source, { ...data, y2: [1, 2] });
    const [adjoint, tape] = [evaluate(both.adjoint, at), evaluate(both.tape, at)];
    expect(adjoint.error).toBe(tape.error);
    expect(adjoint.error).toContain(message);
  });
});
