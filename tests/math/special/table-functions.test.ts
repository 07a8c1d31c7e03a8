/** exp and log1p from tables, against JavaScript's own, which are within an ulp of the exact values. */
import { describe, expect, it } from 'vitest';
import { tableExp, tableLog1p } from '../../../src/math/special/table-functions.ts';

const ulps = (x: number, reference: number) =>
  reference === 0 ? Math.abs(x) / Number.MIN_VALUE : Math.abs(x / reference - 1) / Number.EPSILON;

describe('exp by a table', () => {
  it('is within two ulps', () => {
    let worst = 0;
    for (let i = -200_000; i <= 200_000; i++) {
      for (const x of [i * 0.0034999, i * 1.7e-6]) {
        worst = Math.max(worst, ulps(tableExp(x), Math.exp(x)));
      }
    }
    expect(worst).toBeLessThan(2);
  });

  it('is exact at 0, and equals Math.exp at the ends of the range', () => {
    expect(tableExp(0)).toBe(1);
    expect(tableExp(-0)).toBe(1);
    for (const x of [-Infinity, -800, -740, -700.5, 700.5, 709.7, 710, Infinity, Number.NaN]) {
      expect(tableExp(x)).toBe(Math.exp(x));
    }
  });
});

describe('log1p by a table', () => {
  it('is within two ulps from 0 to 1', () => {
    let worst = 0;
    for (let i = 1; i <= 200_000; i++) {
      for (const x of [i / 200_000, Math.exp(-i / 300)]) {
        worst = Math.max(worst, ulps(tableLog1p(x), Math.log1p(x)));
      }
    }
    expect(worst).toBeLessThan(2);
  });

  it('is exact at the ends, and NaN for NaN', () => {
    expect(tableLog1p(0)).toBe(0);
    expect(tableLog1p(1)).toBe(Math.LN2);
    expect(tableLog1p(Number.NaN)).toBeNaN();
  });
});
