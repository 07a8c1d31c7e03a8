import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFisherSchedule } from '../../../src/engine/adaptation/fisher-schedule.ts';

describe('createFisherSchedule', () => {
  it('has short windows early, then longer ones, and fixes the metric at the end', () => {
    // 30 windows of 10; then 80 and 120, since 180 + 270 would end after 850
    expect(createFisherSchedule(1000)).toEqual({
      numWarmup: 1000,
      fixedFrom: 850,
      windowEnds: [...Array.from({ length: 30 }, (_, k) => 10 * k + 9), 379, 499],
    });
  });

  it.each([
    [20, 17, []],
    // the third window ends with the early part
    [100, 85, [9, 19, 29]],
    // a window of 120 just fits after that of 80
    [352, 300, [9, 19, 29, 39, 49, 59, 69, 79, 89, 99, 179]],
  ])('for %i iterations fixes the metric after %i', (numWarmup, fixedFrom, windowEnds) => {
    expect(createFisherSchedule(numWarmup)).toEqual({ numWarmup, fixedFrom, windowEnds });
  });

  it('adapts only the step size when warmup is too short', () => {
    expect(createFisherSchedule(19)).toEqual({ numWarmup: 19, fixedFrom: 0, windowEnds: [] });
  });

  it('ends its windows in order, before the metric is fixed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 20_000 }), (numWarmup) => {
        const { windowEnds, fixedFrom } = createFisherSchedule(numWarmup);
        expect(windowEnds).toEqual([...new Set(windowEnds)].toSorted((a, b) => a - b));
        expect(windowEnds.at(-1) ?? 0).toBeLessThan(fixedFrom);
        expect(fixedFrom).toBeLessThanOrEqual(numWarmup);
      }),
    );
  });
});
