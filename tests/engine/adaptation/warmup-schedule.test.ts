import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createWarmupSchedule,
  isInMetricWindow,
  isWindowEnd,
} from '../../../src/engine/adaptation/warmup-schedule.ts';

describe('createWarmupSchedule', () => {
  // The windows CmdStan documents for 1000: 75 | 25 50 100 200 500 | 50; the others follow from its rules by hand.
  it.each([
    [1000, [99, 149, 249, 449, 949]],
    [2000, [99, 149, 249, 449, 849, 1949]],
    [500, [99, 149, 249, 449]],
    [300, [99, 149, 249]],
    [200, [99, 149]],
    [150, [99]],
    [151, [99, 100]],
  ])('%i iterations have windows that end at %j', (numWarmup, windowEnds) => {
    expect(createWarmupSchedule(numWarmup)).toEqual({
      numWarmup,
      initBuffer: 75,
      termBuffer: 50,
      baseWindow: 25,
      windowEnds,
    });
  });

  it.each([
    [149, 22, 14],
    [100, 15, 10],
    [50, 7, 5],
    [20, 3, 2],
  ])('%i iterations are cut into 15, 75 and 10 per cent', (numWarmup, initBuffer, termBuffer) => {
    expect(createWarmupSchedule(numWarmup)).toEqual({
      numWarmup,
      initBuffer,
      termBuffer,
      baseWindow: numWarmup - initBuffer - termBuffer,
      windowEnds: [numWarmup - termBuffer - 1],
    });
  });

  it.each([0, 1, 19])('%i iterations are too few for a metric', (numWarmup) => {
    expect(createWarmupSchedule(numWarmup).windowEnds).toEqual([]);
    expect(isInMetricWindow(createWarmupSchedule(numWarmup), 0)).toBe(false);
  });

  it('ends its last window where the terminal buffer begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 20_000 }), (numWarmup) => {
        const schedule = createWarmupSchedule(numWarmup);
        const { windowEnds, initBuffer, termBuffer } = schedule;
        expect(windowEnds.at(-1)).toBe(numWarmup - termBuffer - 1);
        expect(windowEnds).toEqual([...new Set(windowEnds)].toSorted((a, b) => a - b));
        expect(isInMetricWindow(schedule, initBuffer)).toBe(true);
        expect(isInMetricWindow(schedule, initBuffer - 1)).toBe(false);
        expect(isInMetricWindow(schedule, numWarmup - termBuffer)).toBe(false);
        expect(isWindowEnd(schedule, numWarmup - termBuffer - 1)).toBe(true);
      }),
    );
  });
});
