import { describe, expect, it } from 'vitest';
import { chiSquareP, kolmogorovP } from './uniformity.ts';

describe('p-values of uniformity', () => {
  // scipy: chi2.sf(16.5333, 9); one in twenty Kolmogorov distances is above 1.3581
  it('match published values', () => {
    const counts = [24, 7, 15, 16, 10, 20, 10, 18, 12, 18];
    const positions = counts.flatMap((n, bin) => Array.from({ length: n }, () => (bin + 0.5) / 10));
    expect(chiSquareP(positions, 10)).toBeCloseTo(0.056545598669646834, 12);
    const n = 10_000;
    const shift = 1.3581 / Math.sqrt(n);
    const shifted = Array.from({ length: n }, (_, i) => Math.min(1, i / n + shift));
    expect(kolmogorovP(shifted)).toBeCloseTo(0.05, 3);
  });

  it('are 1 for evenly spaced numbers, and nearly 0 for one repeated number', () => {
    const even = Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
    expect([chiSquareP(even, 20), kolmogorovP(even)]).toEqual([1, 1]);
    const one = even.map(() => 0.3);
    expect(Math.max(chiSquareP(one, 20), kolmogorovP(one))).toBeLessThan(1e-100);
  });
});
