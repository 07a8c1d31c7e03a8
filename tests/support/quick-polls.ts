/**
 * The polling policy of page tests (`vite.config.ts`): as it is, or ten times as fast in files that call `quickenPolls`.
 * It has its own tests.
 */
import { afterAll, beforeAll } from 'vitest';
import { nextPollDelay as nextDelay } from '../../src/dashboard/features/live/poll-policy.ts';

export { listPollDelay, newsDelay } from '../../src/dashboard/features/live/poll-policy.ts';

let timesFaster = 1;

export function quickenPolls(): void {
  beforeAll(() => {
    timesFaster = 10;
  });
  afterAll(() => {
    timesFaster = 1;
  });
}

export function nextPollDelay(...input: Parameters<typeof nextDelay>): number | null {
  const delay = nextDelay(...input);
  return delay === null ? null : delay / timesFaster;
}
