/** Stacking weights. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stackingWeights } from '../../src/posterior/stacking.ts';
import { seededUniform } from './fixtures.ts';

const score = (elpd: readonly Float64Array[], weights: ArrayLike<number>) =>
  elpd[0].reduce(
    (sum, _, i) =>
      sum +
      Math.log(elpd.reduce((mixed, values, k) => mixed + weights[k] * Math.exp(values[i]), 0)),
    0,
  );

describe('stacking weights', () => {
  it('are shares of observations where each is predicted by one model alone', () => {
    const one = Float64Array.from([-1, -1, -1, -800, -800, -800, -800, -800]);
    const other = Float64Array.from([-800, -800, -800, -2, -2, -2, -2, -2]);
    const weights = stackingWeights([one, other]);
    expect(weights[0]).toBeCloseTo(3 / 8, 9);
    expect(weights[1]).toBeCloseTo(5 / 8, 9);
  });

  it('solve the equation of two models: Σ (p − q) ÷ (w p + (1 − w) q) = 0', () => {
    // p = 0.6, 0.6, 0.1; q = 0.3, 0.3, 0.4: 2·0.3 ÷ (0.3 + 0.3 w) = 0.3 ÷ (0.4 − 0.3 w), so w = 5/9.
    const p = Float64Array.from([0.6, 0.6, 0.1], Math.log);
    const q = Float64Array.from([0.3, 0.3, 0.4], Math.log);
    const [w, rest] = stackingWeights([p, q]);
    expect(w).toBeCloseTo(5 / 9, 5);
    expect(w + rest).toBeCloseTo(1, 12);
  });

  it('give nothing to a model that is worse everywhere, and everything to a single model', () => {
    const good = Float64Array.from([-1, -2, -1.5]);
    const bad = good.map((value) => value - 0.5);
    expect(stackingWeights([good, bad])[1]).toBeLessThan(1e-8);
    expect([...stackingWeights([good])]).toEqual([1]);
  });

  it('score at least as well as each model, and as any other weights', () => {
    const uniform = seededUniform(7);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 30 }), (models, n) => {
        const elpd = Array.from({ length: models }, () =>
          Float64Array.from({ length: n }, () => -6 * uniform()),
        );
        const weights = stackingWeights(elpd);
        expect(weights.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
        const best = score(elpd, weights);
        for (let trial = 0; trial < 20; trial++) {
          const raw = elpd.map(() => -Math.log(uniform()));
          const total = raw.reduce((a, b) => a + b);
          expect(
            score(
              elpd,
              raw.map((value) => value / total),
            ),
          ).toBeLessThan(best + 1e-6);
        }
        elpd.forEach((_, k) =>
          expect(
            score(
              elpd,
              elpd.map((__, j) => (j === k ? 1 : 0)),
            ),
          ).toBeLessThan(best + 1e-6),
        );
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  it('are found for densities that underflow, and for models that hardly differ', () => {
    const far = stackingWeights([Float64Array.of(-800, -801), Float64Array.of(-801, -800)]);
    far.forEach((weight) => expect(weight).toBeCloseTo(0.5, 9));
    const [better] = stackingWeights([Float64Array.of(-1, -2), Float64Array.of(-1, -2 - 1e-6)]);
    expect(better).toBeGreaterThan(0.5);
    expect(better).toBeLessThan(0.6);
  });

  it('are undefined without observations and for values that are not finite', () => {
    expect([...stackingWeights([new Float64Array(0), new Float64Array(0)])]).toEqual([NaN, NaN]);
    expect([...stackingWeights([Float64Array.of(-1, NaN), Float64Array.of(-1, -2)])]).toEqual([
      NaN,
      NaN,
    ]);
    expect([...stackingWeights([])]).toEqual([]);
  });
});
