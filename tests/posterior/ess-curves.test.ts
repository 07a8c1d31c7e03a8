import { describe, expect, it } from 'vitest';
import { alignChains, splitChains } from '../../src/posterior/draws.ts';
import { essBulk, essOfChains, essQuantile, essTail } from '../../src/posterior/ess.ts';
import { essGrowth, essOfIntervals, essOfQuantiles } from '../../src/posterior/ess-curves.ts';
import { quantiles } from '../../src/posterior/quantile.ts';
import { eightSchools, normalDraws } from './fixtures.ts';

const mu = eightSchools('mu');

describe('an ESS curve', () => {
  it('grows to the ESS of all draws', () => {
    const { numDraws, bulk, tail } = essGrowth(mu, 5);
    expect(Array.from(numDraws)).toEqual([20, 40, 60, 80, 100]);
    expect(bulk[4]).toBe(essBulk(mu));
    expect(tail[4]).toBe(essTail(mu));
    expect(bulk[1]).toBe(essBulk(mu.map((chain) => chain.subarray(0, 40))));
  });

  it('has the ESS of each quantile', () => {
    const curve = essOfQuantiles(mu, [0.05, 0.5, 0.95]);
    expect(curve[0]).toBe(essQuantile(mu, 0.05));
    expect(curve[1]).toBe(essQuantile(mu, 0.5));
    expect(Math.min(curve[0], curve[2])).toBe(essTail(mu));
  });

  it('of small intervals starts at the quantile’s ESS, and is high for independent draws', () => {
    expect(essOfIntervals(mu, 20)[0]).toBeCloseTo(essQuantile(mu, 0.05), 9);
    const independent = [1, 2, 3, 4].map((seed) => normalDraws(seed, 1000));
    for (const ess of essOfIntervals(independent, 10)) expect(ess).toBeGreaterThan(2500);
  });

  it('of small intervals has the ESS of lying in each, with the smallest draw in the first', () => {
    const split = splitChains(alignChains(mu));
    const ends = quantiles(alignChains(mu).values, [0.25, 0.5, 0.75, 1]);
    const expected = ends.map((high, i) => {
      const low = ends[i - 1] ?? -Infinity;
      const isIn = split.values.map((value) => (value > low && value <= high ? 1 : 0));
      return essOfChains({ ...split, values: isIn });
    });
    expect([...essOfIntervals(mu, 4)]).toEqual(expected);
  });

  it('of small intervals counts a draw on a boundary in the interval below', () => {
    const whole = mu.map((chain) => chain.map((value) => Math.round(value / 4)));
    const split = splitChains(alignChains(whole));
    const [low, high] = quantiles(split.values, [0.5, 0.75]);
    expect([Number.isInteger(low), low < high]).toEqual([true, true]);
    const isIn = split.values.map((value) => (value > low && value <= high ? 1 : 0));
    expect(essOfIntervals(whole, 4)[2]).toBe(essOfChains({ ...split, values: isIn }));
    const withLow = split.values.map((value) => (value >= low && value <= high ? 1 : 0));
    expect(essOfChains({ ...split, values: withLow })).not.toBeCloseTo(
      essOfIntervals(whole, 4)[2],
      1,
    );
  });

  it('has twenty points, or as many as there are draws if fewer', () => {
    expect([...essGrowth(mu).numDraws].slice(-2)).toEqual([95, 100]);
    expect(essGrowth(mu).numDraws).toHaveLength(20);
    const short = mu.map((chain) => chain.subarray(0, 7));
    expect([...essGrowth(short).numDraws]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(essOfIntervals(mu)).toHaveLength(20);
    expect([...essGrowth(short, 3).numDraws]).toEqual([2, 4, 7]);
  });

  it('is undefined if a draw is not finite, and empty without draws', () => {
    const broken = [mu[0].with(3, NaN), ...mu.slice(1)];
    expect([...essOfQuantiles(broken, [0.5, 0.9])]).toEqual([NaN, NaN]);
    expect([...essOfIntervals(broken, 3)]).toEqual([NaN, NaN, NaN]);
    expect(essGrowth([], 10).numDraws).toHaveLength(0);
  });
});
