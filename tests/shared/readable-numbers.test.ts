import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCount, formatNumber } from '../../src/shared/readable-numbers.ts';

describe('numbers', () => {
  it.each([
    [4.4036, 2, '4.40'],
    [-1234.5, 1, '−1\u202f234.5'],
    [-0.001, 2, '0.00'],
    [12345678, 0, '12\u202f345\u202f678'],
    [null, 2, '–'],
    [undefined, 2, '–'],
    [Number.NaN, 2, '–'],
    [Number.POSITIVE_INFINITY, 2, '∞'],
    [Number.NEGATIVE_INFINITY, 2, '−∞'],
    [-2.5e9, 2, '−2.50e9'],
    [1.5e12, 0, '1.50e12'],
    [0, 0, '0'],
  ])('%s with %s decimals reads %s', (value, decimals, text) => {
    expect(formatNumber(value, decimals)).toBe(text);
  });

  it('read back equal the original, to their decimals', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -9e8, max: 9e8, noNaN: true }),
        fc.integer({ min: 0, max: 6 }),
        (value, decimals) => {
          const read = Number(
            formatNumber(value, decimals).replaceAll('\u202f', '').replace('−', '-'),
          );
          expect(Math.abs(read - value)).toBeLessThanOrEqual(0.5001 * 10 ** -decimals);
        },
      ),
      { seed: 20261121, numRuns: 500 },
    );
  });

  it.each([
    [1000, '1\u202f000'],
    [-12, '−12'],
    [386.7, '387'],
    [-0.4, '0'],
    [3_000_000_000, '3\u202f000\u202f000\u202f000'],
    [Number.POSITIVE_INFINITY, '∞'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('count %s reads %s', (value, text) => {
    expect(formatCount(value)).toBe(text);
  });
});
