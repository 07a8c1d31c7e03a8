/** Density estimates at declared bounds, against known distributions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bounds, type Density, density } from '../../src/posterior/density.ts';
import { normalDraws, seededUniform } from './fixtures.ts';

function areaOf({ x, y }: Density, from = -Infinity, to = Infinity): number {
  let area = 0;
  for (let i = 1; i < x.length; i++) {
    const middle = (x[i] + x[i - 1]) / 2;
    if (middle > from && middle < to) area += ((y[i] + y[i - 1]) / 2) * (x[i] - x[i - 1]);
  }
  return area;
}

function valueAt({ x, y }: Density, at: number): number {
  const place = (at - x[0]) / (x[1] - x[0]);
  const i = Math.min(x.length - 2, Math.max(0, Math.floor(place)));
  return y[i] + (place - i) * (y[i + 1] - y[i]);
}

/** The mean of the estimates from several samples: what is left is bias. */
function meanEstimate(
  sampler: (uniform: () => number) => number,
  { bounds, count = 4000 }: { bounds: Bounds; count?: number },
): Density {
  const repeats = 30;
  const estimates = Array.from({ length: repeats }, (_, seed) => {
    const uniform = seededUniform(100 + seed);
    return density(
      Float64Array.from({ length: count }, () => sampler(uniform)),
      { ...bounds, points: 512 },
    );
  });
  const high = Math.min(...estimates.map(({ x }) => x[511]));
  const low = Math.max(...estimates.map(({ x }) => x[0]));
  const x = Float64Array.from({ length: 512 }, (_, i) => low + ((high - low) * i) / 511);
  const y = x.map(
    (at) => estimates.reduce((sum, estimate) => sum + valueAt(estimate, at), 0) / repeats,
  );
  x[511] = high;
  return { x, y };
}

const exponential = (uniform: () => number) => -Math.log(1 - uniform());
const halfNormal = (uniform: () => number) =>
  Math.abs(Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()));

describe('a density at its bound', () => {
  it('matches an exponential, which is steepest there', () => {
    const estimate = meanEstimate(exponential, { bounds: { lower: 0 } });
    expect(estimate.x[0]).toBe(0);
    for (const at of [0, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
      expect(valueAt(estimate, at) / Math.exp(-at)).toBeCloseTo(1, 1);
    // Reflection would give about 0.88 here, a curve drawn past the bound 0.5.
    expect(estimate.y[0]).toBeGreaterThan(0.95);
  });
  it('matches a mirrored exponential at an upper bound', () => {
    const estimate = meanEstimate((uniform) => 5 - exponential(uniform), { bounds: { upper: 5 } });
    expect(estimate.x[511]).toBe(5);
    expect(estimate.y[511]).toBeGreaterThan(0.95);
    expect(estimate.y[511]).toBeLessThan(1.05);
  });
  it('matches a half-normal, which is flat there', () => {
    const estimate = meanEstimate(halfNormal, { bounds: { lower: 0 } });
    for (const at of [0, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
      expect(valueAt(estimate, at)).toBeCloseTo(
        Math.sqrt(2 / Math.PI) * Math.exp((-at * at) / 2),
        1,
      );
    expect(estimate.y[0]).toBeGreaterThan(0.77);
    expect(estimate.y[0]).toBeLessThan(0.83);
  });
  it('matches a uniform between two bounds', () => {
    const estimate = meanEstimate((uniform) => uniform(), { bounds: { lower: 0, upper: 1 } });
    expect([estimate.x[0], estimate.x[511]]).toEqual([0, 1]);
    for (const value of estimate.y) {
      expect(value).toBeGreaterThan(0.96);
      expect(value).toBeLessThan(1.04);
    }
  });
  it('is low where the density falls to 0 at its bound', () => {
    const gamma2 = (uniform: () => number) => exponential(uniform) + exponential(uniform);
    const estimate = meanEstimate(gamma2, { bounds: { lower: 0 } });
    expect(estimate.y[0]).toBeLessThan(0.1);
    for (const at of [0.2, 0.5, 1, 2])
      expect(Math.abs(valueAt(estimate, at) - at * Math.exp(-at))).toBeLessThan(0.03);
  });
  it('rises towards the poles of beta(0.5, 0.5) and has the right mass between them', () => {
    const arcsine = (uniform: () => number) => Math.sin((Math.PI / 2) * uniform()) ** 2;
    const estimate = meanEstimate(arcsine, { bounds: { lower: 0, upper: 1 } });
    expect(estimate.y[0]).toBeGreaterThan(3);
    expect(estimate.y[511]).toBeGreaterThan(3);
    const share = (to: number) => (2 / Math.PI) * Math.asin(Math.sqrt(to));
    const middle = areaOf(estimate, 0.2, 0.8);
    expect(Math.abs(middle / (share(0.8) - share(0.2)) - 1)).toBeLessThan(0.06);
    expect(Math.abs(areaOf(estimate, 0, 0.2) - share(0.2))).toBeLessThan(0.02);
  });
});

/** The estimate of the papers up to its scale: exact sums over the draws, and moments by the midpoint rule. */
function byDefinition(draws: readonly number[], x: Float64Array, width: number, bounds: Bounds) {
  const gauss = (z: number) => Math.exp(-0.5 * z * z);
  const { lower = -Infinity, upper = Infinity } = bounds;
  return x.map((at) => {
    const [from, to] = [Math.max(-9, (at - upper) / width), Math.min(9, (at - lower) / width)];
    const part = (to - from) / 300;
    let [a0, a1, a2] = [0, 0, 0];
    for (let z = from + part / 2; z < to; z += part) {
      a0 += gauss(z) * part;
      a1 += z * gauss(z) * part;
      a2 += z * z * gauss(z) * part;
    }
    let [f0, f1] = [0, 0];
    for (const draw of draws) {
      const z = (at - draw) / width;
      f0 += gauss(z);
      f1 += z * gauss(z);
    }
    const linear = (a2 * f0 - a1 * f1) / (a2 * a0 - a1 * a1);
    const renormalised = f0 / a0;
    return linear < renormalised ? renormalised * Math.exp(linear / renormalised - 1) : linear;
  });
}

describe('a density between its bounds', () => {
  it.each([
    ['far from the draws', { lower: -0.5, upper: 4 }],
    ['at the outermost draws', { lower: 0.3, upper: 3 }],
    ['on one side', { lower: 0.1 }],
  ])('%s matches its definition', (_, bounds: Bounds) => {
    const draws = [0.3, 1, 1.2, 1.9, 2.5, 3];
    const { x, y } = density(Float64Array.from(draws), { ...bounds, points: 500 });
    // quartiles 1.05 and 2.35
    const width = (0.9 * 1.3 * 6 ** -0.2) / 1.34;
    const expected = byDefinition(draws, x, width, bounds);
    const area = areaOf({ x, y: expected });
    for (const [i, value] of y.entries()) expect(value).toBeCloseTo(expected[i] / area, 4);
  });
});

describe('a density away from its bound', () => {
  it('is the same as without one', () => {
    const draws = normalDraws(4, 2000).map((value) => 10 + value);
    const free = density(draws);
    const bounded = density(draws, { lower: 0, upper: 30 });
    expect(bounded.x).toEqual(free.x);
    for (const [i, value] of free.y.entries()) expect(bounded.y[i]).toBeCloseTo(value, 6);
  });
  it('keeps the mass of the interior', () => {
    const estimate = meanEstimate(exponential, { bounds: { lower: 0 } });
    const mass = Math.exp(-0.5) - Math.exp(-2);
    expect(Math.abs(areaOf(estimate, 0.5, 2) / mass - 1)).toBeLessThan(0.02);
  });
});

describe('bounds', () => {
  it('are not guessed: the density of draws near 0 extends below 0', () => {
    const uniform = seededUniform(9);
    const draws = Float64Array.from({ length: 1000 }, () => exponential(uniform));
    expect(density(draws).x[0]).toBeLessThan(0);
  });
  it('are ignored if draws lie beyond them', () => {
    const { x } = density(Float64Array.of(-1, 0.5, 1, 2, 3), { lower: 0 });
    expect(x[0]).toBeLessThan(-1);
  });
  it('still apply if rounding puts draws beyond them', () => {
    const { x, y } = density(Float64Array.of(0.2, 0.5, 0.9, 1 + 2e-16), { lower: 0, upper: 1 });
    expect(x[x.length - 1]).toBe(1);
    expect(y.every(Number.isFinite)).toBe(true);
  });
  it('limit every curve, which is never negative and has area 1', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 2, maxLength: 60 }),
        fc.option(fc.double({ min: 0, max: 1e5, noNaN: true })),
        fc.option(fc.double({ min: 0, max: 1e5, noNaN: true })),
        (list, below, above) => {
          const lower = below === null ? undefined : Math.min(...list) - below;
          const upper = above === null ? undefined : Math.max(...list) + above;
          const estimate = density(Float64Array.from(list), { lower, upper });
          if (estimate.x.length === 0) return;
          expect(estimate.x[0]).toBeGreaterThanOrEqual(lower ?? -Infinity);
          expect(estimate.x[255]).toBeLessThanOrEqual(upper ?? Infinity);
          expect(estimate.y.every((height) => height >= 0 && Number.isFinite(height))).toBe(true);
          expect(areaOf(estimate)).toBeCloseTo(1, 6);
        },
      ),
      { seed: 8, numRuns: 300 },
    );
  });
  it('leave the curve empty if the range overflows', () =>
    expect(density(Float64Array.of(-1.7e308, 1.7e308)).x).toHaveLength(0));
  it('count as exceeded only beyond rounding error, on either side', () => {
    const draws = [0, 0.2, 0.5, 0.9, 1];
    const endsOf = (lower: number, upper: number) => {
      const { x } = density(Float64Array.from(draws), { lower, upper });
      return [x[0] === lower, x[255] === upper];
    };
    expect(endsOf(0, 1)).toEqual([true, true]);
    expect(endsOf(9e-7, 1 - 9e-7)).toEqual([true, true]);
    // at the limit itself
    expect(endsOf(1e-6, 1 - 1e-6)).toEqual([true, true]);
    expect(endsOf(2e-6, 1)).toEqual([false, true]);
    expect(endsOf(0, 1 - 2e-6)).toEqual([true, false]);
  });
  it('allow a rounding error in proportion to the spread of the draws', () => {
    const lowest = (lower: number) => density(Float64Array.of(0, 200, 500, 1000), { lower }).x[0];
    expect(lowest(9e-4)).toBe(9e-4);
    expect(lowest(2e-3)).toBeLessThan(-100);
  });
  it('count draws that rounding put beyond them as inside', () => {
    const inside = density(Float64Array.of(0, 0.2, 0.5, 0.9, 1), { lower: 0, upper: 1 });
    const beyond = density(Float64Array.of(-1e-9, 0.2, 0.5, 0.9, 1 + 1e-9), { lower: 0, upper: 1 });
    expect([beyond.x[0], beyond.x[255]]).toEqual([0, 1]);
    for (const [i, value] of inside.y.entries()) expect(beyond.y[i]).toBeCloseTo(value, 6);
    // full height, even if the points of the curve are close together
    const heightAtEnd = (last: number) =>
      density(Float64Array.of(0, 0.2, 0.5, 0.9, last), { upper: 1, points: 2001 }).y[2000];
    expect(heightAtEnd(1 + 9e-7)).toBeCloseTo(heightAtEnd(1), 4);
  });
});

describe('the curve', () => {
  it('reaches three bandwidths of Silverman’s rule beyond the draws', () => {
    // sd √2.5 and quartiles 2 apart; and quartiles that agree
    for (const [draws, spread] of [
      [[1, 2, 3, 4, 5], 2 / 1.34],
      [[1, 2, 2.5, 3, 9], 1 / 1.34],
      [[0, 3, 3, 3, 3], Math.sqrt(1.8)],
      [[0, 0, 8, 9], Math.sqrt(24.25)],
    ] as const) {
      const { x } = density(Float64Array.from(draws));
      const width = 0.9 * spread * draws.length ** -0.2;
      expect(x[0]).toBeCloseTo(draws[0] - 3 * width, 9);
      expect(x[255]).toBeCloseTo(draws[draws.length - 1] + 3 * width, 9);
    }
  });

  it('uses the finite draws in any order and has the requested number of points', () => {
    const plain = density(Float64Array.of(1, 2, 4, 8));
    expect(density(Float64Array.of(4, NaN, 1, Infinity, 8, 2, -Infinity))).toEqual(plain);
    expect(plain.x).toHaveLength(256);
    expect(density(Float64Array.of(1, 2, 4, 8), { points: 30 }).x).toHaveLength(30);
  });

  it('is empty without a spread that a double can represent', () => {
    // the mean of three 0.1 is not 0.1
    for (const draws of [[], [1], [NaN, 1], [2, 2], [0.1, 0.1, 0.1], [0, 1e-200]])
      expect(density(Float64Array.from(draws))).toEqual({
        x: new Float64Array(0),
        y: new Float64Array(0),
      });
  });

  it('is 0 between draws that are far apart', () => {
    const { x, y } = density(Float64Array.of(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1000));
    const isBetween = (at: number) => at > 20 && at < 980;
    expect(y.filter((_, i) => isBetween(x[i])).every((height) => height === 0)).toBe(true);
    expect(Math.min(...y.filter((_, i) => x[i] > -3 && x[i] < 3))).toBeGreaterThan(0);
  });

  it('is mirrored if draws and bounds are mirrored', () => {
    const draw = fc.integer({ min: -640, max: 640 }).map((whole) => whole / 64);
    const gap = fc.option(fc.integer({ min: 0, max: 640 }).map((whole) => whole / 64));
    fc.assert(
      fc.property(
        fc.array(draw, { minLength: 2, maxLength: 40 }),
        gap,
        gap,
        (list, below, above) => {
          const lower = below === null ? undefined : Math.min(...list) - below;
          const upper = above === null ? undefined : Math.max(...list) + above;
          const here = density(Float64Array.from(list), { lower, upper });
          const mirrored = density(
            Float64Array.from(list, (value) => -value),
            {
              lower: upper === undefined ? undefined : -upper,
              upper: lower === undefined ? undefined : -lower,
            },
          );
          const highest = Math.max(...here.y);
          mirrored.y
            .toReversed()
            .forEach((value, i) =>
              expect(Math.abs(value - here.y[i])).toBeLessThan(1e-9 * highest),
            );
          mirrored.x.toReversed().forEach((value, i) => expect(value).toBeCloseTo(-here.x[i], 9));
        },
      ),
      { seed: 14, numRuns: 60 },
    );
  });
});
