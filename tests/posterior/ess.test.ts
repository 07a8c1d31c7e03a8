/** Effective sample sizes against the algorithm of the paper, step by step as in R's posterior. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleVariance } from '../../src/posterior/autocovariance.ts';
import {
  essBulk,
  essMean,
  essOfChains,
  essOfIndicator,
  essQuantile,
  essSd,
} from '../../src/posterior/ess.ts';
import { mcseMean, mcseQuantile, mcseSd } from '../../src/posterior/mcse.ts';
import { sortDraws } from '../../src/posterior/order.ts';
import { rhatOfChains, rhatRank } from '../../src/posterior/rhat.ts';
import { meanAndSd } from '../../src/posterior/sums.ts';
import { normalDraws } from './fixtures.ts';

const of = (...values: number[]) => Float64Array.from(values);
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** First the initial positive sequence, then the monotone one. */
function essByDefinition(chains: readonly (readonly number[])[]): number {
  const n = chains[0].length;
  const total = n * chains.length;
  const means = chains.map(mean);
  const autocovariance = (lag: number) =>
    mean(
      chains.map((chain, c) => {
        let sum = 0;
        for (let i = 0; i + lag < n; i++)
          sum += (chain[i] - means[c]) * (chain[i + lag] - means[c]);
        return sum / n;
      }),
    );
  const within = (autocovariance(0) * n) / (n - 1);
  const between = chains.length > 1 ? sampleVariance(Float64Array.from(means)) : 0;
  const pooled = (within * (n - 1)) / n + between;
  const correlation = (lag: number) => 1 - (within - autocovariance(lag)) / pooled;
  const rho = new Float64Array(n + 2);
  let [t, even, odd] = [0, 1, correlation(1)];
  [rho[0], rho[1]] = [even, odd];
  while (t < n - 5 && even + odd > 0) {
    t += 2;
    [even, odd] = [correlation(t), correlation(t + 1)];
    if (even + odd >= 0) [rho[t], rho[t + 1]] = [even, odd];
  }
  const last = t;
  if (even > 0) rho[last] = even;
  for (let k = 2; k <= last - 2; k += 2)
    if (rho[k] + rho[k + 1] > rho[k - 2] + rho[k - 1])
      rho[k] = rho[k + 1] = (rho[k - 2] + rho[k - 1]) / 2;
  const sum = rho.subarray(0, last).reduce((a, b) => a + b, 0);
  return total / Math.max(-1 + 2 * sum + rho[last], 1 / Math.log10(total));
}

const flat = (chains: readonly (readonly number[])[]) => ({
  values: Float64Array.from(chains.flat()),
  numChains: chains.length,
  length: chains[0].length,
});

describe('the ESS of chains', () => {
  it('matches the definition in the paper for short, slow and antithetic chains', () => {
    const shape = fc.record({
      length: fc.integer({ min: 6, max: 40 }),
      numChains: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer({ min: 1, max: 1e6 }),
      keeps: fc.constantFrom(-0.95, -0.5, 0, 0.5, 0.9, 1),
      drift: fc.constantFrom(0, 0.3, 3),
      apart: fc.constantFrom(0, 1),
    });
    fc.assert(
      fc.property(shape, ({ length, numChains, seed, keeps, drift, apart }) => {
        const chains = Array.from({ length: numChains }, (_, c) => {
          let last = 0;
          return Array.from(
            normalDraws(seed + c, length),
            (z, i) => (last = keeps * last + z) + drift * i + apart * c,
          );
        });
        const expected = essByDefinition(chains);
        expect(essOfChains(flat(chains)) / expected).toBeCloseTo(1, 9);
      }),
      { seed: 21, numRuns: 400 },
    );
  });

  it.each([
    // even and odd correlation of the pair: positive and negative, and the other way round
    [216 / 47, [[3, 3, 1, 1, 1, 0, 0, 0, 0]]],
    [
      324 / 17,
      [
        [0, 1, 2, 1, 3, 1, 1, 3, 0],
        [2, 1, 1, 3, 3, 3, 2, 1, 2],
      ],
    ],
  ])(
    'is %d if the sum ends with a pair of exactly 0, whose even half still counts',
    (ess, chains) => {
      expect(essOfChains(flat(chains))).toBeCloseTo(ess, 9);
      expect(essByDefinition(chains)).toBeCloseTo(ess, 9);
    },
  );

  it('is at its limit for draws that alternate between two values', () => {
    const chain = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    for (const chains of [[chain], [chain, chain]]) {
      const total = 50 * chains.length;
      expect(essOfChains(flat(chains))).toBeCloseTo(total * Math.log10(total), 9);
    }
  });

  it('is undefined if the variance overflows or underflows', () => {
    const chain = [1, 3, 2, 5, 4, 6, 2, 1];
    for (const size of [1e-170, 1e170])
      expect(essOfChains(flat([chain.map((value) => size * value)]))).toBeNaN();
    const huge = [normalDraws(1, 100).map((z) => 1e200 * z)];
    expect([essMean(huge), essSd(huge), mcseMean(huge)]).toEqual([NaN, NaN, NaN]);
    // measures based on ranks are unaffected
    expect(essBulk(huge)).toBe(essBulk([normalDraws(1, 100)]));
  });

  it('needs at least six draws, and chains that vary', () => {
    const chain = [1, 3, 2, 5, 4, 6];
    expect(essOfChains(flat([chain]))).toBeGreaterThan(0);
    expect(essOfChains(flat([chain.slice(1)]))).toBeNaN();
    expect(essOfChains(flat([chain.map(() => 2)]))).toBeNaN();
    expect(essOfChains({ values: of(), numChains: 0, length: 0 })).toBeNaN();
  });
});

describe('the ESS of a statistic', () => {
  it('is that of squared distances from the overall mean for the standard deviation', () => {
    const chains = [normalDraws(2, 90), normalDraws(3, 90)].map((chain, c) =>
      chain.map((z) => 5 + c + z),
    );
    const all = chains.flatMap((chain) => [...chain]);
    const centre = mean(all);
    const squares = chains.map((chain) => chain.map((value) => (value - centre) ** 2));
    expect(essSd(chains)).toBeCloseTo(essMean(squares), 9);
    expect(essSd(chains)).not.toBeCloseTo(essMean(chains), 0);
  });

  it('is undefined for draws that are not finite, and for constants', () => {
    const broken = [normalDraws(1, 100).with(9, Infinity)];
    const still = [new Float64Array(100).fill(3)];
    for (const ess of [
      essBulk,
      essMean,
      essSd,
      (chains: Float64Array[]) => essQuantile(chains, 0.3),
    ])
      for (const chains of [broken, still, []]) expect(ess(chains)).toBeNaN();
  });

  it('uses the draws up to a value, or those below it at the largest draw', () => {
    // here the ESS of the draws below the largest and of the others differ in the last digit
    const values = Float64Array.from(normalDraws(31, 200), (z) => Math.round(z));
    const split = { values, numChains: 2, length: 100 };
    const indicator = (is: (value: number) => boolean) =>
      essOfChains({ ...split, values: values.map((value) => (is(value) ? 1 : 0)) });
    const essAt = (q: number) => essOfIndicator(split, sortDraws(split.values), q);
    expect(essAt(0)).toBeCloseTo(
      indicator((value) => value <= 0),
      8,
    );
    const largest = Math.max(...values);
    expect(essAt(largest)).toBeCloseTo(
      indicator((value) => value < largest),
      8,
    );
    expect(essAt(largest + 1)).toBeNaN();
  });
});

describe('Monte Carlo standard errors', () => {
  it('are undefined where their ESS is', () => {
    const errors = [mcseMean, mcseSd, (chains: Float64Array[]) => mcseQuantile(chains, 0.3)];
    const odd = [
      [],
      [new Float64Array(100).fill(3)],
      [normalDraws(1, 100).with(9, Infinity)],
      [normalDraws(1, 100).with(9, NaN)],
      [normalDraws(1, 8)],
    ];
    for (const error of errors) for (const chains of odd) expect(error(chains)).toBeNaN();
  });

  it('at probabilities 0 and 1 are within the spread of the outermost draws', () => {
    const chains = [normalDraws(5, 300), normalDraws(6, 300)];
    const sorted = Float64Array.from(chains.flatMap((chain) => [...chain])).sort();
    for (const [probability, from, to] of [
      [0, sorted[0], sorted[9]],
      [1, sorted[590], sorted[599]],
    ]) {
      const error = mcseQuantile(chains, probability);
      expect(error).toBeGreaterThan(0);
      expect(error).toBeLessThan((to - from) / 2);
    }
  });
});

describe('R-hat', () => {
  it('is undefined without two chains of two draws, and for a constant', () => {
    const rhat = (...chains: number[][]) =>
      rhatOfChains({
        values: Float64Array.from(chains.flat()),
        numChains: chains.length,
        length: chains[0]?.length ?? 0,
      });
    for (const chains of [
      [],
      [[]],
      [[1, 2, 3]],
      [[1], [2]],
      [
        [2, 2],
        [2, 2],
      ],
    ])
      expect(rhat(...chains)).toBeNaN();
    // B = 2 · 2, W = 1/2: √((8 + 1) / 2)
    expect(rhat([0, 1], [2, 3])).toBeCloseTo(Math.sqrt(4.5), 12);
    expect(rhat([1, 1], [2, 2])).toBe(Infinity);
  });

  it('based on ranks is undefined for a constant, without draws and if one is not finite', () => {
    for (const chains of [
      [],
      [new Float64Array(50).fill(0.1), new Float64Array(50).fill(0.1)],
      [normalDraws(1, 50), normalDraws(2, 50).with(3, Infinity)],
      [normalDraws(1, 50), normalDraws(2, 50).with(3, NaN)],
    ])
      expect(rhatRank(chains)).toBeNaN();
  });
});

it('the moments of no draws and the spread of a single draw are undefined', () => {
  expect(meanAndSd(of())).toEqual({ mean: NaN, sd: NaN });
  expect(meanAndSd(of(3))).toEqual({ mean: 3, sd: NaN });
  expect(meanAndSd(of(3, 5))).toEqual({ mean: 4, sd: Math.SQRT2 });
  expect([sampleVariance(of()), sampleVariance(of(3)), sampleVariance(of(3, 5))]).toEqual([
    NaN,
    NaN,
    2,
  ]);
});
