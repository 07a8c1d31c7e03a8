import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeIn } from '../../../src/dashboard/features/experiment/plots/use-overview.ts';
import {
  zoomStep,
  zoomWithin,
} from '../../../src/dashboard/features/experiment/plots/zoom-range.ts';

describe('zoom by keys', () => {
  it('zooms in and out, moves and resets', () => {
    expect(zoomStep(null, 'in', 1001)).toEqual([251, 751]);
    expect(zoomStep([251, 751], 'in', 1001)).toEqual([376, 626]);
    expect(zoomStep([251, 751], 'out', 1001)).toBeNull();
    expect(zoomStep([400, 600], 'right', 1001)).toEqual([450, 650]);
    expect(zoomStep([2, 202], 'left', 1001)).toEqual([1, 201]);
    expect(zoomStep([400, 600], 'all', 1001)).toBeNull();
    expect(zoomStep(null, 'left', 1001)).toBeNull();
  });

  it('stays on the axis, whatever is pressed', () => {
    const steps = fc.array(fc.constantFrom('in', 'out', 'left', 'right', 'all'), { maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1e6 }), steps, (last, keys) => {
        let zoom: readonly [number, number] | null = null;
        for (const key of keys) {
          zoom = zoomStep(zoom, key as 'in', last);
          if (zoom === null) continue;
          expect(zoom[0]).toBeGreaterThanOrEqual(1);
          expect(zoom[1]).toBeLessThanOrEqual(last);
          expect(zoomWithin(zoom, last)).toEqual(zoom);
        }
      }),
      { seed: 1 },
    );
  });
});

it('a zoom range selects the saved draws of a phase', () => {
  const axis = { offset: 500, step: 5, count: 200 };
  expect(rangeIn(null, axis)).toEqual([1, 200]);
  // Draw 1 is at iteration 501, draw 2 at 506.
  expect(rangeIn([501, 506], axis)).toEqual([1, 2]);
  expect(rangeIn([502, 506], axis)).toEqual([2, 2]);
  expect(rangeIn([1, 400], axis)).toBeNull();
  expect(rangeIn([900, 9000], axis)).toEqual([81, 200]);
  expect(rangeIn(null, { ...axis, count: 0 })).toBeNull();
});
