import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTicks, scaleOf } from '../../../src/dashboard/ui/interval-scale.ts';
import { createRow } from '../../support/summary-rows.ts';

describe('the shared axis of intervals', () => {
  it('holds every 90 % interval with room at both ends', () => {
    const scale = scaleOf([createRow({ q5: 10, q95: 12 }), createRow({ q5: 11, q95: 15 })]);
    expect(scale).toEqual({ low: 10 - 0.2, high: 15 + 0.2 });
  });

  it('extends to zero if it is near', () => {
    expect(scaleOf([createRow({ q5: 1, q95: 11 })])?.low).toBeLessThan(0);
    expect(scaleOf([createRow({ q5: -11, q95: -1 })])?.high).toBeGreaterThan(0);
    expect(scaleOf([createRow({ q5: 9, q95: 11 })])?.low).toBeGreaterThan(8);
  });

  it('is absent without intervals, and not empty for a constant', () => {
    expect(scaleOf([])).toBeNull();
    expect(scaleOf([createRow({ q5: null, q95: null })])).toBeNull();
    const flat = scaleOf([createRow({ q5: 3, q95: 3 })]);
    expect(flat !== null && flat.high > flat.low).toBe(true);
  });

  it('has three to seven round ticks inside it, whatever the scale', () => {
    const bound = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(bound, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (low, span) => {
        fc.pre(low + span > low + 1e-9 * Math.abs(low));
        const scale = { low, high: low + span };
        const ticks = axisTicks(scale);
        expect(ticks.length).toBeGreaterThanOrEqual(3);
        expect(ticks.length).toBeLessThanOrEqual(7);
        const slack = 1e-9 * Math.max(Math.abs(scale.low), Math.abs(scale.high));
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(scale.low - slack);
          expect(tick).toBeLessThanOrEqual(scale.high + slack);
        }
      }),
      { seed: 20261121, numRuns: 500 },
    );
  });

  it('labels its ticks without rounding noise', () => {
    expect(axisTicks({ low: -0.32, high: 0.72 })).toEqual([-0.2, 0, 0.2, 0.4, 0.6]);
    expect(axisTicks({ low: -0.02, high: 0.35 })).toEqual([0, 0.1, 0.2, 0.3]);
  });
});
