/** Ranks of true values among thinned draws, computed from the definition. */
import { describe, expect, it } from 'vitest';
import {
  indicatorName,
  testColumns,
  trueLogDensity,
  truthName,
} from '../../src/posterior/calibration-columns.ts';
import { essBulk, essTail } from '../../src/posterior/ess.ts';
import { rankedColumns, rankSimulation } from '../../src/posterior/simulation-ranks.ts';
import { normalDraws } from './fixtures.ts';

const filled = (value: number, length: number) => new Float64Array(length).fill(value);
const ranksOf = (columns: Record<string, Float64Array>, chain = 'chain#1') =>
  rankSimulation(chain, new Map(Object.entries(columns)));
const rankOf = (draws: Float64Array, truth: number, name = 'mu') =>
  ranksOf({ [name]: draws, [truthName(name)]: filled(truth, draws.length) }).ranks[0];
const slow = (seed: number, count: number, keeps = 0.9) => {
  let last = 0;
  return normalDraws(seed, count).map((z) => (last = keeps * last + z));
};

describe('the columns of a calibration', () => {
  it('name the quantity, with the suffix before the last index', () => {
    expect([truthName('theta'), indicatorName('theta')]).toEqual(['theta_true__', 'theta_below__']);
    expect(
      testColumns(['x[1]:2_true__[3]', 'x[1]:2_true__', 'c_below__[2]', 'true', 'a[1]']),
    ).toEqual([
      { quantity: 'x[1]:2[3]', column: 'x[1]:2_true__[3]', kind: 'truth' },
      { quantity: 'x[1]:2', column: 'x[1]:2_true__', kind: 'truth' },
      { quantity: 'c[2]', column: 'c_below__[2]', kind: 'indicator' },
    ]);
  });

  it('that are read are those of the quantities and of their true values', () => {
    expect(rankedColumns(['mu', 'mu_true__', 'c_below__', 'z', trueLogDensity])).toEqual([
      'mu',
      'mu_true__',
      'c_below__',
      'lp__',
      trueLogDensity,
    ]);
  });
});

describe('the rank of a true value', () => {
  it('is among every nth draw, with n from the smaller of bulk and tail ESS', () => {
    const scaled = (values: Float64Array) =>
      values.map((value, i) => value * (1 + 4 * Math.abs(Math.sin(i / 300))));
    for (const draws of [slow(1, 2000), slow(2, 2000, -0.6), scaled(normalDraws(3, 2000))]) {
      const sizes = [essBulk([draws]), essTail([draws])];
      const step = Math.max(1, Math.ceil(draws.length / Math.min(...sizes)));
      const kept = draws.filter((_, i) => i % step === step - 1);
      const found = rankOf(draws, 0.3);
      expect(found?.draws).toBe(kept.length);
      expect(found?.rank).toBe(kept.filter((value) => value < 0.3).length);
      expect(ranksOf({ mu: draws, mu_true__: filled(0.3, 2000) }).ess).toBe(
        Math.min(2000, sizes[0]),
      );
    }
  });

  it('uses an ESS of at most the number of draws', () => {
    // the bulk ESS exceeds the number of draws, which is the most that can be used
    const draws = slow(5, 400, -0.3);
    expect(essBulk([draws])).toBeGreaterThan(400);
    expect(ranksOf({ mu: draws, mu_true__: filled(9, 400) }).ess).toBe(400);
    const { ranks } = ranksOf({ c_below__: draws.map((value) => (value < 0 ? 1 : 0)) });
    expect(ranks[0].draws).toBeGreaterThan(300);
  });

  it('is among a single draw if the ESS is undefined', () => {
    const draws = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    expect(rankOf(draws, 7.5)).toMatchObject({ rank: 0, draws: 1 });
    expect(rankOf(draws, 8.5)).toMatchObject({ rank: 1, draws: 1 });
  });

  it('has a random position within it, different for each quantity and simulation', () => {
    const draws = normalDraws(7, 300);
    const truth = filled(0, 300);
    const positions = ['chain#1', 'chain#2', 'chain#12'].flatMap((chain) =>
      ranksOf({ mu: draws, mu_true__: truth, nu: draws, nu_true__: truth }, chain).ranks.map(
        ({ position, rank, draws: count }) => position * (count + 1) - rank,
      ),
    );
    expect(new Set(positions).size).toBe(6);
    for (const part of positions) {
      expect(part).toBeGreaterThanOrEqual(-1e-9);
      expect(part).toBeLessThan(1);
    }
  });

  it('is random among the ranks that equal draws allow', () => {
    const draws = Float64Array.from({ length: 300 }, (_, i) => (i * 7) % 3);
    const [counts] = [ranksOf({ k: draws, k_true__: filled(1, 300) })];
    const { draws: count } = counts.ranks[0];
    const ranks = Array.from({ length: 40 }, (_, n) => {
      const [found] = ranksOf({ k: draws, k_true__: filled(1, 300) }, `chain#${n}`).ranks;
      expect(Math.floor(found.position * (count + 1) + 1e-9)).toBe(found.rank);
      return found.rank;
    });
    expect(Math.min(...ranks)).toBeGreaterThanOrEqual(Math.floor(count / 3));
    expect(Math.max(...ranks)).toBeLessThanOrEqual(Math.ceil((2 * count) / 3));
    expect(Math.max(...ranks) - Math.min(...ranks)).toBeGreaterThan(count / 4);
  });
});

describe('the record of a quantity', () => {
  it('has its true value, mean and variance', () => {
    const found = rankOf(Float64Array.of(1, 2, 6), 5);
    expect(found).toMatchObject({ quantity: 'mu', truth: 5, mean: 3, variance: 7 });
    expect(rankOf(Float64Array.of(4), 5)).toMatchObject({ mean: 4, variance: 0 });
  });

  it('has no mean and variance for the log density and for an indicator', () => {
    const draws = normalDraws(8, 100);
    const { ranks } = ranksOf({
      lp__: draws,
      [trueLogDensity]: filled(0.5, 100),
      c_below__: draws.map((value) => (value > 0 ? 1 : 0)),
    });
    expect(ranks.map(({ quantity, truth }) => [quantity, truth])).toEqual([
      ['lp__', 0.5],
      ['c', NaN],
    ]);
    for (const { mean, variance } of ranks) expect([mean, variance]).toEqual([NaN, NaN]);
  });

  it('is missing without draws, and if the program fixes the quantity up to rounding', () => {
    expect(ranksOf({ mu_true__: filled(1, 5) })).toEqual({ chain: 'chain#1', ranks: [], ess: NaN });
    const none = new Float64Array(0);
    expect(ranksOf({ mu: none, mu_true__: none, c_below__: none }).ranks).toEqual([]);
    const isLeftOut = (draw: number, truth: number) =>
      rankOf(filled(draw, 20), truth) === undefined;
    expect([
      isLeftOut(1, 1 + 5e-13),
      isLeftOut(1, 1 + 5e-12),
      isLeftOut(0, 5e-13),
      isLeftOut(1e6, 1e6 + 5e-7),
      isLeftOut(-1e6, -1e6 - 5e-6),
      isLeftOut(-1e6, -1e6 - 5e-7),
    ]).toEqual([true, false, true, true, false, true]);
    expect(rankOf(Float64Array.of(1, 2, 3), 1)).toBeDefined();
  });

  it('counts every draw of an indicator that never changes', () => {
    const found = (value: number) => ranksOf({ c_below__: filled(value, 50) });
    expect(found(1)).toMatchObject({ ess: 50, ranks: [{ rank: 50, draws: 50 }] });
    expect(found(0)).toMatchObject({ ess: 50, ranks: [{ rank: 0, draws: 50 }] });
  });

  it('comes with the smallest bulk ESS of all quantities', () => {
    const [quick, late] = [normalDraws(9, 500), slow(10, 500)];
    const { ess } = ranksOf({
      a: late,
      a_true__: filled(0, 500),
      b: quick,
      b_true__: filled(0, 500),
    });
    expect(ess).toBe(essBulk([late]));
    const isBelow = slow(11, 500).map((value) => (value < 0 ? 1 : 0));
    const { ess: own, ranks } = ranksOf({ c_below__: isBelow });
    expect(own).toBe(essBulk([isBelow]));
    const step = Math.ceil(500 / own);
    expect(ranks[0]).toMatchObject({
      draws: Math.floor(500 / step),
      rank: isBelow.filter((one, i) => i % step === step - 1 && one === 1).length,
    });
  });
});
