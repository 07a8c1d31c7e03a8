/** Thinning: fewer points, same picture. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thinTrace } from '../../src/posterior/thin.ts';

const trace = fc.array(fc.oneof(fc.double(), fc.constant(NaN)), { minLength: 1, maxLength: 400 });

describe('thinTrace', () => {
  it('keeps everything that fits, with the requested iterations', () => {
    expect(
      thinTrace(Float64Array.of(5, 6, 7), { maxPoints: 4, firstIteration: 11, step: 5 }),
    ).toEqual({
      iterations: Float64Array.of(11, 16, 21),
      values: Float64Array.of(5, 6, 7),
      factor: 1,
    });
  });

  it('keeps the lowest and highest of each column in iteration order', () => {
    const values = Float64Array.of(1, 9, 2, 3, 7, 4, 5, 6);
    const thinned = thinTrace(values, { maxPoints: 4 });
    expect([...thinned.iterations]).toEqual([1, 2, 5, 6]);
    expect([...thinned.values]).toEqual([1, 9, 7, 4]);
    expect(thinned.factor).toBe(2);
  });

  it('never loses an extreme or a flagged draw, invents one, or exceeds its number of points', () => {
    fc.assert(
      fc.property(
        trace,
        fc.integer({ min: 2, max: 60 }),
        fc.infiniteStream(fc.nat(9)),
        (list, maxPoints, dice) => {
          const values = Float64Array.from(list);
          const flags = Uint8Array.from(list, () => (dice.next().value === 0 ? 1 : 0));
          const flagged = flags.reduce((sum, flag) => sum + flag, 0);
          const { iterations, values: kept } = thinTrace(values, { maxPoints, flags });
          expect(kept.length).toBeLessThanOrEqual(Math.max(2, maxPoints) + flagged);
          iterations.forEach((iteration, i) => {
            expect(Object.is(kept[i], values[iteration - 1])).toBe(true);
            if (i > 0) expect(iteration).toBeGreaterThan(iterations[i - 1]);
          });
          const shown = new Set(iterations);
          flags.forEach((flag, i) => flag && expect(shown.has(i + 1)).toBe(true));
          const numbers = (all: Float64Array) => [...all].filter((value) => !Number.isNaN(value));
          if (numbers(values).length > 0) {
            expect(Math.min(...numbers(kept))).toBe(Math.min(...numbers(values)));
            expect(Math.max(...numbers(kept))).toBe(Math.max(...numbers(values)));
          }
        },
      ),
      { seed: 2 },
    );
  });

  it('keeps every draw if all fit, even equal ones', () => {
    const { iterations, factor } = thinTrace(new Float64Array(4).fill(5), { maxPoints: 5 });
    expect([[...iterations], factor]).toEqual([[1, 2, 3, 4], 1]);
    const none = thinTrace(new Float64Array(0), { maxPoints: 2 });
    expect([none.values.length, none.factor]).toEqual([0, 1]);
  });

  it('keeps the first of equal extremes and the first draw of a gap', () => {
    const values = Float64Array.of(NaN, NaN, NaN, NaN, 2, 1, 1, 3, 3, 2);
    const kept = (from: number, to: number) => [
      ...thinTrace(values.subarray(from, to), { maxPoints: 2 }).iterations,
    ];
    expect(kept(0, 4)).toEqual([1]);
    expect(kept(4, 10)).toEqual([2, 4]);
    expect(kept(2, 10)).toEqual([4, 6]);
  });

  it('shows a column of only NaN as a gap', () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => (i < 50 ? NaN : i));
    const { values: kept } = thinTrace(values, { maxPoints: 4 });
    expect(kept[0]).toBeNaN();
    expect(kept.slice(-2)).toEqual(Float64Array.of(50, 99));
  });
});
