/** Every scalar random function against its own density's cumulative function: two ways to the same distribution. */
import { describe, expect, it } from 'vitest';
import { libraryNames } from '../../../src/language/types/signatures/signature-table.ts';
import { randomPart } from '../../../src/math/library/families/random-scalar.ts';
import { randomStructuredPart } from '../../../src/math/library/families/random-structured.ts';
import { library } from '../../../src/math/library/library.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';
import { kolmogorov } from '../support/kolmogorov.ts';

const numDraws = 20_000;

/** Parameters, several sets where the method branches. A second name says whose cumulative function to use. */
const cases: Readonly<
  Record<
    string,
    {
      sets: readonly (readonly number[])[];
      kinds: string;
      cdf?: string;
      link?: (p: readonly number[]) => readonly number[];
    }
  >
> = {
  std_normal: { sets: [[]], kinds: '' },
  normal: { sets: [[1, 2]], kinds: 'rr' },
  lognormal: { sets: [[0.3, 0.8]], kinds: 'rr' },
  student_t: {
    sets: [
      [0.8, 1, 2],
      [5, 0, 1],
    ],
    kinds: 'rrr',
  },
  cauchy: { sets: [[1, 2]], kinds: 'rr' },
  double_exponential: { sets: [[1, 2]], kinds: 'rr' },
  logistic: { sets: [[1, 2]], kinds: 'rr' },
  gumbel: { sets: [[1, 2]], kinds: 'rr' },
  skew_normal: {
    sets: [
      [1, 2, 3],
      [0, 1, -1],
    ],
    kinds: 'rrr',
  },
  exp_mod_normal: { sets: [[1, 0.5, 0.8]], kinds: 'rrr' },
  skew_double_exponential: { sets: [[1, 2, 0.2]], kinds: 'rrr' },
  exponential: { sets: [[0.7]], kinds: 'r' },
  gamma: {
    sets: [
      [0.3, 2],
      [4.5, 0.5],
    ],
    kinds: 'rr',
  },
  inv_gamma: { sets: [[3, 2]], kinds: 'rr' },
  chi_square: { sets: [[3]], kinds: 'r' },
  inv_chi_square: { sets: [[3]], kinds: 'r' },
  scaled_inv_chi_square: { sets: [[4, 1.5]], kinds: 'rr' },
  weibull: { sets: [[1.5, 2]], kinds: 'rr' },
  frechet: { sets: [[1.5, 2]], kinds: 'rr' },
  rayleigh: { sets: [[2]], kinds: 'r' },
  loglogistic: { sets: [[2, 3]], kinds: 'rr' },
  pareto: { sets: [[1, 2.5]], kinds: 'rr' },
  pareto_type_2: { sets: [[1, 2, 2.5]], kinds: 'rrr' },
  beta: {
    sets: [
      [0.4, 0.6],
      [3, 2],
    ],
    kinds: 'rr',
  },
  beta_proportion: { sets: [[0.3, 4]], kinds: 'rr' },
  von_mises: {
    sets: [
      [0.5, 2],
      [-0.3, 0.1],
    ],
    kinds: 'rr',
  },
  uniform: { sets: [[-1, 3]], kinds: 'rr' },
  bernoulli: { sets: [[0.3]], kinds: 'r' },
  bernoulli_logit: {
    sets: [[0.4]],
    kinds: 'r',
    cdf: 'bernoulli',
    link: ([a]) => [1 / (1 + Math.exp(-a))],
  },
  binomial: {
    sets: [
      [12, 0.3],
      [400, 0.7],
    ],
    kinds: 'ir',
  },
  binomial_logit: {
    sets: [[12, 0.4]],
    kinds: 'ir',
    cdf: 'binomial',
    link: ([n, a]) => [n, 1 / (1 + Math.exp(-a))],
  },
  beta_binomial: { sets: [[15, 2, 3]], kinds: 'irr' },
  discrete_range: { sets: [[-2, 5]], kinds: 'ii' },
  poisson: { sets: [[2.5], [60]], kinds: 'r' },
  poisson_log: { sets: [[1.1]], kinds: 'r', cdf: 'poisson', link: ([a]) => [Math.exp(a)] },
  neg_binomial: { sets: [[2, 0.5]], kinds: 'rr' },
  neg_binomial_2: { sets: [[5, 1.5]], kinds: 'rr' },
  neg_binomial_2_log: {
    sets: [[1.2, 1.5]],
    kinds: 'rr',
    cdf: 'neg_binomial_2',
    link: ([e, p]) => [Math.exp(e), p],
  },
  beta_neg_binomial: { sets: [[3, 4, 2]], kinds: 'rrr' },
  yule_simon: { sets: [[2.5]], kinds: 'r' },
  hypergeometric: { sets: [[5, 6, 9]], kinds: 'iii', cdf: 'sum of masses' },
};

function cumulative(name: string, y: number, parameters: readonly number[], kinds: string): number {
  const isInt = randomIsInt(name);
  if (name === 'hypergeometric') {
    let p = 0;
    for (let k = 0; k <= y; k++) {
      p += Math.exp(library.hypergeometric_lpmf(null, false, 'iiii', k, ...parameters) as number);
    }
    return p;
  }
  return library[`${name}_cdf`](
    null,
    false,
    (isInt ? 'i' : 'r') + kinds,
    y,
    ...parameters,
  ) as number;
}

const discrete = /^(bernoulli|binomial|beta_binomial|discrete|poisson|neg_|beta_neg|yule|hyper)/;
const randomIsInt = (name: string): boolean => discrete.test(name);

/** Those with tests of their own: of paths, and of draws given a latent Gaussian posterior. */
const elsewhere = /^(hmm_latent|laplace_latent\w*)_rng$/;

it('every random function of the language is tested here or beside', () => {
  const tested = new Set([...Object.keys(randomPart), ...Object.keys(randomStructuredPart)]);
  const names = libraryNames().filter((name) => name.endsWith('_rng') && !elsewhere.test(name));
  expect(names.filter((name) => !tested.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(50);
});

describe.each(Object.keys(randomPart))('%s', (key) => {
  const name = key.replace(/_rng$/, '');
  const test = cases[name];

  it('has a case', () => {
    expect(test).toBeDefined();
  });

  it('draws from its distribution', () => {
    for (const [salt, parameters] of test.sets.entries()) {
      const rng = createRng(20240611, salt, key);
      const target = test.cdf === undefined || name === 'hypergeometric' ? name : test.cdf;
      const targetParameters = test.link?.(parameters) ?? parameters;
      const draws = Array.from(
        { length: numDraws },
        () => randomPart[key](rng, test.kinds, ...parameters) as number,
      );
      const distance = kolmogorov(
        draws,
        (value) => cumulative(target, value, targetParameters, test.kinds.replace('v', 'r')),
        randomIsInt(name) ? 1 : 20,
      );
      expect(distance, `${key}(${parameters.join(', ')})`).toBeLessThan(1.95);
    }
  });

  it('gives one draw an element for containers', () => {
    const parameters = test.sets[0];
    if (parameters.length === 0) return;
    const rng = createRng(3, 1, key);
    const isInt = test.kinds[0] === 'i';
    const first = isInt
      ? Int32Array.of(parameters[0], parameters[0])
      : Float64Array.of(parameters[0], parameters[0]);
    const kinds = (isInt ? 'I' : 'R') + test.kinds.slice(1);
    const draws = randomPart[key](rng, kinds, first, ...parameters.slice(1));
    expect(draws).toBeInstanceOf(randomIsInt(name) ? Int32Array : Float64Array);
    expect((draws as Float64Array).length).toBe(2);
  });

  it('refuses parameters outside its domain', () => {
    const parameters = test.sets[0];
    if (parameters.length === 0) return;
    const rng = createRng(3, 1, key);
    const broken = [...parameters];
    broken[broken.length - 1] = Number.NaN;
    expect(() => randomPart[key](rng, test.kinds, ...broken)).toThrow();
  });
});
