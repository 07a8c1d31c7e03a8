import { describe, expect, it } from 'vitest';
import { essBulk, essQuantile, essTail } from '../../src/posterior/ess.ts';
import { essGrowth, essOfIntervals, essOfQuantiles } from '../../src/posterior/ess-curves.ts';
import { eightSchools, normalDraws } from './fixtures.ts';

const mu = eightSchools('mu');

describe('ESS along something', () => {
  it('grows to the ESS of all draws', () => {
    const { numDraws, bulk, tail } = essGrowth(mu, 5);
    expect(Array.from(numDraws)).toEqual([20, 40, 60, 80, 100]);
    expect(bulk[4]).toBe(essBulk(mu));
    expect(tail[4]).toBe(essTail(mu));
    expect(bulk[1]).toBe(essBulk(mu.map((chain) => chain.subarray(0, 40))));
  });

  it('is that of each quantile', () => {
    const curve = essOfQuantiles(mu, [0.05, 0.5, 0.95]);
    expect(curve[0]).toBe(essQuantile(mu, 0.05));
    expect(curve[1]).toBe(essQuantile(mu, 0.5));
    expect(Math.min(curve[0], curve[2])).toBe(essTail(mu));
  });

  it('of the first small interval is that of its quantile, and independent draws have about all', () => {
    expect(essOfIntervals(mu, 20)[0]).toBe(essQuantile(mu, 0.05));
    const independent = [1, 2, 3, 4].map((seed) => normalDraws(seed, 1000));
    for (const ess of essOfIntervals(independent, 10)) expect(ess).toBeGreaterThan(2500);
  });

  it('is undefined where a draw is not finite, and empty where there is none', () => {
    const broken = [mu[0].with(3, NaN), ...mu.slice(1)];
    expect(essOfQuantiles(broken, [0.5])[0]).toBeNaN();
    expect(essOfIntervals(broken, 3)[1]).toBeNaN();
    expect(essGrowth([], 10).numDraws).toHaveLength(0);
  });
});
