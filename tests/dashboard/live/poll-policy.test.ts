import { describe, expect, it } from 'vitest';
import {
  listPollDelay,
  nextPollDelay,
  type PollState,
} from '../../../src/dashboard/features/live/poll-policy.ts';

const quiet: PollState = {
  live: true,
  hidden: false,
  unchanged: 0,
  failures: 0,
  lastDurationMs: 0,
};

describe('the next request is planned', () => {
  it.each([
    ['while something changes', {}, 1000],
    ['after a quiet answer', { unchanged: 1 }, 1000],
    ['after three quiet answers', { unchanged: 3 }, 2000],
    ['after seven', { unchanged: 7 }, 5000],
    ['after twelve', { unchanged: 12 }, 15_000],
    ['after a thousand', { unchanged: 1000 }, 15_000],
    ['after a slow answer', { lastDurationMs: 700 }, 2800],
    ['in a hidden tab', { hidden: true }, null],
    ['in a hidden tab after a failure', { hidden: true, failures: 2 }, null],
    ['after the end', { live: false }, null],
    ['after one failure', { failures: 1 }, 2000],
    ['after three failures', { failures: 3 }, 8000],
    ['after a hundred failures', { failures: 100 }, 60_000],
  ] as const)('%s', (_, change, delay) => {
    expect(nextPollDelay({ ...quiet, ...change })).toBe(delay);
  });

  it('with jitter of a quarter after failures, never beyond a minute', () => {
    expect(nextPollDelay({ ...quiet, failures: 2 }, 0)).toBe(3000);
    expect(nextPollDelay({ ...quiet, failures: 2 }, 0.999)).toBeCloseTo(4998, -1);
    expect(nextPollDelay({ ...quiet, failures: 50 }, 0.999)).toBe(60_000);
  });

  it('for lists only while an entry is active, and later after a failure', () => {
    expect(listPollDelay(false, false)).toBe(false);
    expect(listPollDelay(true, false)).toBe(2000);
    expect(listPollDelay(true, true)).toBe(30_000);
  });
});
