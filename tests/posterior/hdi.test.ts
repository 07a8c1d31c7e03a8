import { describe, expect, it } from 'vitest';
import { hdi, hdiOfSorted } from '../../src/posterior/hdi.ts';

describe('the highest density interval', () => {
  it('is the narrowest that holds its share of the draws', () => {
    expect(hdi(Float64Array.of(13, 0, 11, 10, 12), 0.6)).toEqual({ low: 10, high: 13 });
    expect(hdi(Float64Array.of(100, 101, 102, 110, 120, 130), 0.5)).toEqual({
      low: 100,
      high: 110,
    });
    expect(hdi(Float64Array.of(-130, -120, -110, -102, -101, -100), 0.5)).toEqual({
      low: -110,
      high: -100,
    });
  });

  it('is the lowest of equally narrow ones, and spans all draws for a share of one', () => {
    expect(hdi(Float64Array.of(1, 2, 3, 4), 0.25)).toEqual({ low: 1, high: 2 });
    expect(hdi(Float64Array.of(3, 1, 2), 1)).toEqual({ low: 1, high: 3 });
  });

  it('is NaN without draws and if one is not finite', () => {
    const unknown = { low: Number.NaN, high: Number.NaN };
    expect(hdiOfSorted(new Float64Array(0), 0.9)).toEqual(unknown);
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(hdi(Float64Array.of(1, odd, 2), 0.9)).toEqual(unknown);
  });
});
