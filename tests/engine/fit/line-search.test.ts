import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Objective, searchLine } from '../../../src/engine/fit/line-search.ts';

/** A function of one variable with its derivative. */
type Curve = (x: number) => readonly [value: number, slope: number];

function search(curve: Curve, { from = 0, direction = 1, firstStep = 1 } = {}) {
  const tried: number[] = [];
  const objective: Objective = ([x], gradient) => {
    tried.push(x);
    const [value, slope] = curve(x);
    gradient[0] = slope;
    return value;
  };
  const start = {
    x: Float64Array.of(from),
    gradient: Float64Array.of(curve(from)[1]),
    value: curve(from)[0],
  };
  const found = searchLine(objective, start, Float64Array.of(direction), firstStep);
  return { found, tried };
}

const bowl =
  (at: number, curvature = 1): Curve =>
  (x) => [0.5 * curvature * (x - at) ** 2, curvature * (x - at)];

describe('a line search', () => {
  it('takes the first step where that will do', () => {
    const { found, tried } = search(bowl(1));
    expect(tried).toEqual([1]);
    expect(found).toMatchObject({ step: 1, value: 0 });
    expect([...(found?.x ?? [])]).toEqual([1]);
    expect([...(found?.gradient ?? [])]).toEqual([0]);
  });

  it('goes ten times as far while the function falls steeply', () => {
    const { found, tried } = search(bowl(100), { firstStep: 0.01 });
    // at 10 the slope is nine tenths of what it was
    expect(tried).toEqual([0.01, 0.1, 1, 10]);
    expect(found?.step).toBe(10);
  });

  it('finds nothing uphill, along the level, or where the function falls for ever', () => {
    expect(search(bowl(1), { direction: -1 })).toEqual({ found: null, tried: [] });
    expect(search(bowl(0))).toEqual({ found: null, tried: [] });
    expect(search((x) => [-x, -1]).found).toBeNull();
    expect(search((x) => [-x, -1]).tried).toHaveLength(40);
  });

  it('comes back from outside of the domain', () => {
    const walled: Curve = (x) =>
      x < 1 ? [-Math.log(1 - x) - 4 * x, 1 / (1 - x) - 4] : [Infinity, 0];
    const { found, tried } = search(walled, { firstStep: 64 });
    expect(tried.slice(0, 7)).toEqual([64, 32, 16, 8, 4, 2, 1]);
    expect(found?.x[0]).toBeLessThan(1);
    expect(Math.abs(found?.gradient[0] ?? 9)).toBeLessThanOrEqual(0.9 * 3);
  });

  it('takes the last point inside where the function falls up to the end of its domain', () => {
    const cut: Curve = (x) => (x < 1 ? [-x, -1] : [Infinity, 0]);
    const { found } = search(cut, { firstStep: 0.25 });
    expect(found?.x[0]).toBeLessThan(1);
    expect(found?.x[0]).toBeGreaterThan(0.99);
  });

  it('meets the strong Wolfe conditions on smooth curves', () => {
    const numbers = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(
        numbers(0.01, 50),
        numbers(0.01, 20),
        numbers(-1, 1),
        numbers(1e-4, 1e3),
        (at, curvature, wave, firstStep) => {
          const curve: Curve = (x) => {
            const [value, slope] = bowl(at, curvature)(x);
            return [
              value + wave * curvature * Math.sin(x) * 0.5,
              slope + wave * curvature * Math.cos(x) * 0.5,
            ];
          };
          const [value, slope] = curve(0);
          fc.pre(slope < 0);
          const { found } = search(curve, { firstStep });
          if (found === null) throw new Error('no step');
          const [nextValue, nextSlope] = curve(found.step);
          expect(found.value).toBe(nextValue);
          const rounding = 1e-12 * Math.max(1, Math.abs(value));
          expect(nextValue).toBeLessThanOrEqual(value + 1e-4 * found.step * slope + rounding);
          expect(Math.abs(nextSlope)).toBeLessThanOrEqual(0.9 * Math.abs(slope) + rounding);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it('looks between two points where the cubic through them has its minimum', () => {
    // of a parabola the cubic is the parabola: one look between start and first step
    const { tried } = search(bowl(1), { firstStep: 2.5 });
    expect(tried).toHaveLength(2);
    expect(tried[1]).toBeCloseTo(1, 12);
  });

  it('halves the interval where that minimum lies close to an end', () => {
    const { tried } = search(bowl(1), { firstStep: 20 });
    expect(tried[1]).toBe(10);
  });

  it('takes a step whose decrease is lost in rounding', () => {
    const high: Curve = (x) => {
      const [value, slope] = bowl(1e-6)(x);
      return [1e9 + value, slope];
    };
    const { found, tried } = search(high, { firstStep: 1.5e-6 });
    expect(tried).toEqual([1.5e-6]);
    expect(found?.step).toBe(1.5e-6);
  });
});
