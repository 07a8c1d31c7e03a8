/** Every scalar random function against its own density's cumulative function: two ways to the same distribution. */
import { describe, expect, it } from 'vitest';
import { libraryNames } from '../../../src/language/types/signatures/signature-table.ts';
import { randomPart } from '../../../src/math/library/families/random-scalar.ts';
import { randomStructuredPart } from '../../../src/math/library/families/random-structured.ts';
import { library } from '../../../src/math/library/library.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';
import { kolmogorov } from '../support/kolmogorov.ts';

const numDraws = 20_000;

/** Parameters, several sets if the method branches. A second name gives the cumulative function to use. */
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

type Moments = readonly [mean: number, variance: number];

const gammaOf = (x: number) => library.tgamma__r(x) as number;
const bernoulliMoments = (p: number): Moments => [p, p * (1 - p)];
const binomialMoments = (n: number, p: number): Moments => [n * p, n * p * (1 - p)];
/** Moments of a quantity with E x and E x². */
const fromRaw = (first: number, second: number): Moments => [first, second - first ** 2];
const negBinomialMoments = (mu: number, phi: number): Moments => [mu, mu + mu ** 2 / phi];
const betaMoments = (a: number, b: number): Moments => [
  a / (a + b),
  (a * b) / ((a + b) ** 2 * (a + b + 1)),
];
const invGammaMoments = (a: number, b: number): Moments => [
  b / (a - 1),
  b ** 2 / ((a - 1) ** 2 * (a - 2)),
];
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** Their fourth moments are infinite, so the error of a variance says nothing. */
const heavyTailed = /^(inv_gamma|pareto|pareto_type_2|loglogistic|beta_neg_binomial|yule_simon)$/;

/** By the parameters, where both are finite. Formulas: Stan functions reference; Johnson, Kotz & Balakrishnan. */
const moments: Readonly<Record<string, (...p: number[]) => Moments | null>> = {
  std_normal: () => [0, 1],
  normal: (m, s) => [m, s * s],
  lognormal: (m, s) => {
    const first = Math.exp(m + (s * s) / 2);
    return [first, first ** 2 * Math.expm1(s * s)];
  },
  student_t: (nu, m, s) => (nu > 4 ? [m, (s * s * nu) / (nu - 2)] : null),
  cauchy: () => null,
  double_exponential: (m, s) => [m, 2 * s * s],
  logistic: (m, s) => [m, (s * Math.PI) ** 2 / 3],
  gumbel: (m, b) => [m + 0.5772156649015329 * b, (b * Math.PI) ** 2 / 6],
  skew_normal: (m, s, a) => {
    const delta = (a / Math.hypot(1, a)) * Math.sqrt(2 / Math.PI);
    return [m + s * delta, s * s * (1 - delta ** 2)];
  },
  exp_mod_normal: (m, s, l) => [m + 1 / l, s * s + 1 / l ** 2],
  // an exponential to the right with probability 1 − tau, otherwise one to the left
  skew_double_exponential: (m, s, t) => {
    const [right, left] = [s / (2 * t), s / (2 * (1 - t))];
    const [mean, variance] = fromRaw(
      (1 - t) * right - t * left,
      2 * ((1 - t) * right ** 2 + t * left ** 2),
    );
    return [m + mean, variance];
  },
  exponential: (b) => [1 / b, 1 / b ** 2],
  gamma: (a, b) => [a / b, a / b ** 2],
  inv_gamma: (a, b) => invGammaMoments(a, b),
  chi_square: (nu) => [nu, 2 * nu],
  inv_chi_square: (nu) => (nu > 4 ? invGammaMoments(nu / 2, 1 / 2) : null),
  scaled_inv_chi_square: (nu, s) => (nu > 4 ? invGammaMoments(nu / 2, (nu * s * s) / 2) : null),
  weibull: (a, s) => fromRaw(s * gammaOf(1 + 1 / a), s * s * gammaOf(1 + 2 / a)),
  frechet: (a, s) => (a > 2 ? fromRaw(s * gammaOf(1 - 1 / a), s * s * gammaOf(1 - 2 / a)) : null),
  rayleigh: (s) => [s * Math.sqrt(Math.PI / 2), (2 - Math.PI / 2) * s * s],
  loglogistic: (a, b) => {
    const u = Math.PI / b;
    return fromRaw((a * u) / Math.sin(u), (a * a * 2 * u) / Math.sin(2 * u));
  },
  pareto: (y, a) => fromRaw((a * y) / (a - 1), (a * y * y) / (a - 2)),
  pareto_type_2: (m, l, a) => [m + l / (a - 1), (l * l * a) / ((a - 1) ** 2 * (a - 2))],
  beta: (a, b) => betaMoments(a, b),
  beta_proportion: (mu, k) => betaMoments(mu * k, (1 - mu) * k),
  // on the circle: checked by its Kolmogorov distance only
  von_mises: () => null,
  uniform: (a, b) => [(a + b) / 2, (b - a) ** 2 / 12],
  bernoulli: (p) => bernoulliMoments(p),
  bernoulli_logit: (a) => bernoulliMoments(logistic(a)),
  binomial: (n, p) => binomialMoments(n, p),
  binomial_logit: (n, a) => binomialMoments(n, logistic(a)),
  beta_binomial: (n, a, b) => {
    const p = a / (a + b);
    return [n * p, (n * p * (1 - p) * (a + b + n)) / (a + b + 1)];
  },
  discrete_range: (a, b) => [(a + b) / 2, ((b - a + 1) ** 2 - 1) / 12],
  poisson: (l) => [l, l],
  poisson_log: (a) => [Math.exp(a), Math.exp(a)],
  neg_binomial: (a, b) => negBinomialMoments(a / b, a),
  neg_binomial_2: (mu, phi) => negBinomialMoments(mu, phi),
  neg_binomial_2_log: (eta, phi) => negBinomialMoments(Math.exp(eta), phi),
  beta_neg_binomial: (r, a, b) => [
    (r * b) / (a - 1),
    (r * b * (a + r - 1) * (a + b - 1)) / ((a - 2) * (a - 1) ** 2),
  ],
  yule_simon: (a) => [a / (a - 1), a ** 2 / ((a - 1) ** 2 * (a - 2))],
  hypergeometric: (n, a, b) => {
    const [all, p] = [a + b, a / (a + b)];
    return [n * p, (n * p * (1 - p) * (all - n)) / (all - 1)];
  },
};

/** The mean of f over the draws, and its standard error. */
function averageOf(draws: readonly number[], f: (x: number) => number): [number, number] {
  const values = draws.map(f);
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  return [mean, Math.sqrt(variance / values.length)];
}

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

/** Those with separate tests: hidden-markov.test.ts, and tests/language/emit/laplace.test.ts. */
const elsewhere =
  /^(hmm_latent|laplace_latent(_tol)?(_bernoulli_logit|_neg_binomial_2_log|_poisson_log)?)_rng$/;

it('every random function of the language is tested here or in another file', () => {
  const tested = new Set([...Object.keys(randomPart), ...Object.keys(randomStructuredPart)]);
  const names = libraryNames().filter((name) => name.endsWith('_rng') && !elsewhere.test(name));
  expect(names.filter((name) => !tested.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(50);
});

describe.each(Object.keys(randomPart))('%s', (key) => {
  const name = key.replace(/_rng$/, '');
  const test = cases[name];

  it('has a test case', () => {
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
      const expected = moments[name](...parameters);
      if (expected === null) continue;
      const [mean, error] = averageOf(draws, (x) => x);
      expect(Math.abs(mean - expected[0]), `mean ${mean}`).toBeLessThan(4.5 * error);
      const [spread, spreadError] = averageOf(draws, (x) => (x - expected[0]) ** 2);
      if (heavyTailed.test(name)) continue;
      expect(Math.abs(spread - expected[1]), `variance ${spread}`).toBeLessThan(4.5 * spreadError);
    }
  });

  it('draws once per element for containers', () => {
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
