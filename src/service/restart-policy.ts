/** When to restart something that ended: immediately after long work, ever later after short work, in the end never. */

export interface RestartPolicy {
  /** Milliseconds to wait before the next start; null: it ended too soon too often. */
  next(livedMs: number): number | null;
}

export interface RestartPolicyOptions {
  /** A process that worked for this long starts with a clean record. */
  readonly steadyMs?: number;
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  /** Number of short lives in a row after which it is given up. */
  readonly maxShort?: number;
}

export function createRestartPolicy({
  steadyMs = 5000,
  firstWaitMs = 100,
  longestWaitMs = 10_000,
  maxShort = 6,
}: RestartPolicyOptions = {}): RestartPolicy {
  let numShort = 0;
  return {
    next(livedMs) {
      numShort = livedMs >= steadyMs ? 1 : numShort + 1;
      if (numShort > maxShort) return null;
      return Math.min(firstWaitMs * 2 ** (numShort - 1), longestWaitMs);
    },
  };
}
