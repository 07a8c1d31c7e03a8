import { describe, expect, it } from 'vitest';
import { createRestartPolicy } from '../../src/service/restart-policy.ts';

describe('a restart policy', () => {
  it('doubles the wait after each short life up to a limit, and finally gives up', () => {
    const policy = createRestartPolicy({ firstWaitMs: 100, longestWaitMs: 350, maxShort: 4 });
    expect([0, 4999, 0, 0, 0].map((livedMs) => policy.next(livedMs))).toEqual([
      100,
      200,
      350,
      350,
      null,
    ]);
  });

  it('forgets short lives after a long one', () => {
    const policy = createRestartPolicy({ firstWaitMs: 100, maxShort: 2 });
    expect([0, 0, 5000, 0, 0].map((livedMs) => policy.next(livedMs))).toEqual([
      100,
      200,
      100,
      200,
      null,
    ]);
  });
});
