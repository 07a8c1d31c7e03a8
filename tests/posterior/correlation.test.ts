/** Correlation of draws, against its definition and numbers computed by hand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlation } from '../../src/posterior/correlation.ts';
import { normalDraws } from './fixtures.ts';

const of = (...values: number[]) => Float64Array.from(values);

describe('correlation', () => {
  it('matches Anscombe’s first data set', () => {
    const x = of(10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5);
    const y = of(8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68);
    expect(correlation([x], [y])).toBeCloseTo(0.81642051634484, 12);
  });

  it('pools the chains, up to the length that both variables share', () => {
    const x = normalDraws(1, 300);
    const y = normalDraws(2, 300).map((value, i) => value + 2 * x[i]);
    const whole = correlation([x], [y]);
    const split = [x.subarray(0, 100), x.subarray(100)];
    expect(correlation(split, [y.subarray(0, 100), y.subarray(100)])).toBeCloseTo(whole, 12);
    expect(correlation([x], [y.subarray(0, 50)])).toBe(
      correlation([x.subarray(0, 50)], [y.subarray(0, 50)]),
    );
    expect(correlation([x.subarray(0, 50)], [y])).toBe(correlation([x], [y.subarray(0, 50)]));
    expect(correlation(split, [y.subarray(0, 100)])).toBe(correlation(split.slice(0, 1), [y]));
    expect(correlation([x], [y, y])).toBe(whole);
    expect(correlation([of(1, 2)], [of(5, 3)])).toBeCloseTo(-1, 12);
  });

  it('leaves out draws that are not finite in one of them', () => {
    expect(correlation([of(1, NaN, 2, 3, Infinity)], [of(2, 5, 4, 6, 1)])).toBeCloseTo(1, 12);
    expect(correlation([of(2, 5, 4, 6, 1)], [of(1, NaN, 2, 3, -Infinity)])).toBeCloseTo(1, 12);
  });

  it('keeps its precision far from 0', () => {
    const x = normalDraws(3, 500);
    const y = normalDraws(4, 500).map((value, i) => value + x[i]);
    const far = (values: Float64Array) => values.map((value) => 1e8 + value);
    expect(correlation([far(x)], [far(y)])).toBeCloseTo(correlation([x], [y]), 6);
  });

  it('is undefined for a constant and for one draw', () => {
    expect(correlation([of(1, 1, 1)], [of(1, 2, 3)])).toBeNaN();
    expect(correlation([of(1, 2, 3)], [of(1, 1, 1)])).toBeNaN();
    expect(correlation([of(0.1, 0.1, 0.1)], [of(0.3, 0.3, 0.3)])).toBeNaN();
    expect(correlation([of(1)], [of(2)])).toBeNaN();
    expect(correlation([], [])).toBeNaN();
  });

  it('is symmetric, between −1 and 1, and ±1 on a line', () => {
    const value = fc.integer({ min: -1e6, max: 1e6 }).map((whole) => whole / 64);
    const list = fc.array(value, { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        const n = Math.min(a.length, b.length);
        const x = Float64Array.from(a.slice(0, n));
        const y = Float64Array.from(b.slice(0, n));
        const r = correlation([x], [y]);
        const mirrored = correlation([y], [x]);
        if (Number.isNaN(r)) expect(mirrored).toBeNaN();
        else {
          expect(mirrored).toBeCloseTo(r, 9);
          expect(Math.abs(r)).toBeLessThanOrEqual(1);
        }
        if (Math.max(...x) > Math.min(...x))
          expect(correlation([x], [x.map((value) => 3 - 2 * value)])).toBeCloseTo(-1, 9);
      }),
      { seed: 12 },
    );
  });
});
