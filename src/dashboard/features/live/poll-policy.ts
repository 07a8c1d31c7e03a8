/**
 * When to poll next: the one policy of the entire app.
 *
 * 1 s while young, then 2, 5, 15 s when nothing changes; at least four times the last request's duration; never in a
 * hidden tab; never after a terminal status; errors back off to 60 s. While a socket delivers changes, 15 s.
 */

export interface PollState {
  /** The polled object can still change. */
  readonly live: boolean;
  readonly hidden: boolean;
  /** Consecutive answers without news. */
  readonly unchanged: number;
  /** Consecutive failures. */
  readonly failures: number;
  readonly lastDurationMs: number;
  /** News is pushed, so a poll only checks that this still works. */
  readonly pushed?: boolean;
}

const quickestMs = 1000;
/** By consecutive answers without news; beyond them, and while news is pushed, the slowest. */
const steps: readonly number[] = [
  quickestMs,
  1000,
  1000,
  2000,
  2000,
  2000,
  2000,
  5000,
  5000,
  5000,
  5000,
  5000,
];
const slowestMs = 15_000;
const longestBackoffMs = 60_000;

/** Milliseconds from the end of the last request to the next; null = do not poll. `jitter` is uniform in [0, 1). */
export function nextPollDelay(state: PollState, jitter = 0.5): number | null {
  if (!state.live || state.hidden) return null;
  if (state.failures > 0) {
    const backoff = Math.min(longestBackoffMs, 1000 * 2 ** state.failures);
    return Math.min(longestBackoffMs, Math.round(backoff * (0.75 + 0.5 * jitter)));
  }
  const step = state.pushed ? slowestMs : (steps[state.unchanged] ?? slowestMs);
  return Math.max(step, 4 * state.lastDurationMs);
}

/** Milliseconds until a push is handled: no more often than polling would; `sinceMs`: since the last time. */
export function newsDelay(lastDurationMs: number, sinceMs: number): number {
  return Math.max(0, Math.max(quickestMs, 4 * lastDurationMs) - sinceMs);
}

/** Milliseconds to the next fetch of a list that contains something `live`; false = do not fetch again. */
export function listPollDelay(live: boolean, hasFailed: boolean): number | false {
  if (!live) return false;
  return hasFailed ? 30_000 : 2000;
}
