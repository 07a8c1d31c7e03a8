import { describe, expect, it } from 'vitest';
import { splitChains } from '../../src/posterior/draws.ts';
import { rankNormalise } from '../../src/posterior/ess.ts';
import { nestedRhatOfChains, rhatOfDraws } from '../../src/posterior/rhat.ts';
import { summariseVariable } from '../../src/posterior/summary.ts';
import { seededRng } from '../support/seeded-rng.ts';

const flat = (chains: readonly (readonly number[])[]) => ({
  values: Float64Array.from(chains.flat()),
  numChains: chains.length,
  length: chains[0].length,
});

const chains = [
  [1, 3, 2, 5],
  [2, 2, 4, 7],
  [0, 1, 9, 3],
  [4, 4, 1, 2],
  [8, 6, 7, 9],
];

describe('nested R-hat', () => {
  /**
   * By numpy 2.4, of a superchain g with chains x (chains × draws): m = x.mean(1); M_g = m.mean();
   * W_g = (m.var(ddof=1) if len(m) > 1 else 0) + x.var(1, ddof=1).mean(); then sqrt(1 + var(M, ddof=1) / mean(W)).
   */
  it.each([
    [[1, 2, 1, 2, 2], 1.07008655611454],
    [[1, 2, 3, 4, 5], 1.3029483560773432],
    [[7, 7, 7, 7, 2], 1.7927229071127382],
  ])('of superchains %j matches numpy', (superchains, expected) => {
    expect(nestedRhatOfChains(flat(chains), superchains)).toBeCloseTo(expected, 12);
  });

  it('is undefined for a single superchain, and where nothing varies', () => {
    expect(nestedRhatOfChains(flat(chains), [3, 3, 3, 3, 3])).toBeNaN();
    expect(
      nestedRhatOfChains(
        flat([
          [2, 2],
          [2, 2],
        ]),
        [1, 2],
      ),
    ).toBeNaN();
  });

  it('is defined for chains of a single draw', () => {
    // means 1.5 and 4, variances between the chains of each 0.5 and 2
    const single = flat([[1], [2], [3], [5]]);
    expect(nestedRhatOfChains(single, [1, 1, 2, 2])).toBeCloseTo(Math.sqrt(1 + 3.125 / 1.25), 12);
  });
});

/** Normal draws around a mean for each chain. */
function around(means: readonly number[], length = 100): Float64Array[] {
  const rng = seededRng(11);
  return means.map((mean) => Float64Array.from({ length }, () => mean + rng.normal()));
}

describe('the summary of chains that share their starting points', () => {
  it('has a large R-hat if superchains disagree, but not if chains within one do', () => {
    const apart = around([0, 3, 0, 3, 0, 3]);
    const superchains = [1, 2, 1, 2, 1, 2];
    expect(summariseVariable('x', apart, superchains).rhat).toBeGreaterThan(1.5);
    // variation within a superchain is no sign of two locations
    expect(summariseVariable('x', apart, [1, 1, 2, 2, 3, 3]).rhat).toBeLessThan(1.05);
    expect(summariseVariable('x', around([0, 0, 0, 0, 0, 0]), superchains).rhat).toBeLessThan(1.01);
  });

  it('has the R-hat of the ranks of split chains, the larger of bulk and folded', () => {
    const wide = around([0, 0, 0, 0]).map((draws, i) => draws.map((x) => (i < 2 ? 6 * x : x)));
    const { rhat } = summariseVariable('x', wide, [1, 1, 2, 2]);
    const split = splitChains(flat(wide.map((draws) => [...draws])));
    const bulk = nestedRhatOfChains(rankNormalise(split), [1, 1, 1, 1, 2, 2, 2, 2]);
    expect(rhat).toBeGreaterThan(1.1);
    expect(bulk).toBeLessThan(1.02);
    const even = around([0, 1, 0, 1]);
    expect(summariseVariable('x', even, [1, 2, 1, 2]).rhat).toBeCloseTo(
      nestedRhatOfChains(
        rankNormalise(splitChains(flat(even.map((draws) => [...draws])))),
        [1, 1, 2, 2, 1, 1, 2, 2],
      ),
      12,
    );
  });

  it('has the R-hat that figures print for the same draws', () => {
    const [a, b, c, d] = around([0, 1, 0, 1], 101);
    const chains = [a, new Float64Array(0), b, c, d];
    const superchains = [1, 1, 2, 1, 2];
    const { rhat } = summariseVariable('x', chains, superchains);
    expect(rhatOfDraws({ chains, superchains })).toBeCloseTo(rhat, 12);
    expect(rhatOfDraws({ chains })).toBeCloseTo(summariseVariable('x', chains).rhat, 12);
  });

  it('leaves out chains without a draw', () => {
    const [a, b, c, d] = around([0, 1, 0, 1]);
    const none = new Float64Array(0);
    expect(summariseVariable('x', [a, none, b, c, d], [1, 1, 2, 1, 2])).toEqual(
      summariseVariable('x', [a, b, c, d], [1, 2, 1, 2]),
    );
  });

  it('differs from the usual one only in R-hat', () => {
    const draws = around([0, 0.3, 0, 0.3]);
    const { rhat, ...others } = summariseVariable('x', draws, [1, 2, 1, 2]);
    const { rhat: usual, ...same } = summariseVariable('x', draws);
    expect(others).toEqual(same);
    expect(rhat).not.toBe(usual);
  });
});
