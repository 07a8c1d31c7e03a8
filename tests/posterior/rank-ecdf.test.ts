/** Rank plots: the band holds as often as it says. */
import { describe, expect, it } from 'vitest';
import { rankEcdf, rankHistogram } from '../../src/posterior/rank-ecdf.ts';
import { normalDraws } from './fixtures.ts';

const isInside = (chains: Float64Array[], points: number) => {
  const ecdf = rankEcdf(chains, { points });
  if (ecdf === null) throw new Error('no band');
  return ecdf.differences.every((chain) =>
    chain.every((value, k) => value >= ecdf.low[k] - 1e-12 && value <= ecdf.high[k] + 1e-12),
  );
};

describe('rankEcdf', () => {
  it('holds chains that agree in about 95 of 100 runs', () => {
    const runs = 400;
    let inside = 0;
    for (let run = 0; run < runs; run++) {
      const chains = Array.from({ length: 4 }, (_, chain) => normalDraws(1000 * run + chain, 250));
      if (isInside(chains, 50)) inside++;
    }
    // Four standard errors of a share of 400; discreteness makes the band a little wide.
    expect(inside / runs).toBeGreaterThan(0.905);
    expect(inside / runs).toBeLessThan(0.995);
  });

  it('shows a chain that is elsewhere', () => {
    const chains = Array.from({ length: 4 }, (_, chain) =>
      normalDraws(chain + 1, 250).map((x) => (chain === 2 ? x + 0.5 : x)),
    );
    expect(isInside(chains, 50)).toBe(false);
  });

  it('ends at no difference, and is the same each time', () => {
    const chains = [normalDraws(1, 300), normalDraws(2, 300)];
    const ecdf = rankEcdf(chains);
    expect(ecdf?.z.length).toBe(100);
    expect(ecdf?.differences.map((chain) => chain[99])).toEqual([0, 0]);
    expect([ecdf?.low[99], ecdf?.high[99]]).toEqual([0, 0]);
    expect(rankEcdf(chains)).toEqual(ecdf);
  });

  it('is null for one chain and for draws that are not finite', () => {
    expect(rankEcdf([normalDraws(1, 100)])).toBeNull();
    expect(rankEcdf([normalDraws(1, 3), Float64Array.of(1, NaN, 2)])).toBeNull();
  });
});

it('rankHistogram counts each draw once', () => {
  const counts = rankHistogram([Float64Array.of(1, 2, 3, 4), Float64Array.of(5, 6, 7, 8)], 4);
  expect(counts?.map((chain) => [...chain])).toEqual([
    [2, 2, 0, 0],
    [0, 0, 2, 2],
  ]);
});
