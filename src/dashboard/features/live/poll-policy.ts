/**
 * When to ask next: the one policy of the whole app.
 *
 * 1 s while young, then 2, 5, 15 s when nothing changes; at least four times the last request's duration; never in a
 * hidden tab; never after a terminal status; errors back off to 60 s. While a socket brings the news, 15 s.
 */

export interface PollState {
  /** The thing asked about can still change. */
  readonly live: boolean;
  readonly hidden: boolean;
  /** Answers in a row that brought nothing new. */
  readonly unchanged: number;
  /** Failures in a row. */
  readonly failures: number;
  readonly lastDurationMs: number;
  /** News is pushed, so a poll only checks that it still is. */
  readonly pushed?: boolean;
}

const quickestMs = 1000;
/** By answers in a row that brought nothing new; beyond them, and while news is pushed, the slowest. */
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

/** Milliseconds from the end of the last request to the next; null = do not ask. `jitter` is uniform in [0, 1). */
export function nextPollDelay(state: PollState, jitter = 0.5): number | null {
  if (!state.live || state.hidden) return null;
  if (state.failures > 0) {
    const backoff = Math.min(longestBackoffMs, 1000 * 2 ** state.failures);
    return Math.min(longestBackoffMs, Math.round(backoff * (0.75 + 0.5 * jitter)));
  }
  const step = state.pushed ? slowestMs : (steps[state.unchanged] ?? slowestMs);
  return Math.max(step, 4 * state.lastDurationMs);
}

/** Milliseconds until a push is acted on: as rarely as one would poll; `sinceMs`: since the last time. */
export function newsDelay(lastDurationMs: number, sinceMs: number): number {
  return Math.max(0, Math.max(quickestMs, 4 * lastDurationMs) - sinceMs);
}

/** Milliseconds to the next fetch of a list that holds something `live`; false = do not fetch again. */
export function listPollDelay(live: boolean, hasFailed: boolean): number | false {
  if (!live) return false;
  return hasFailed ? 30_000 : 2000;
}
