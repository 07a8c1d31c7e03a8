/** When something that ended is started again: at once after long work, later and later after short, at last no more. */

export interface RestartPolicy {
  /** Milliseconds to wait before the next start; null: it ended too often, too soon. */
  next(livedMs: number): number | null;
}

export interface RestartPolicyOptions {
  /** A process that worked for this long has a clean record. */
  readonly steadyMs?: number;
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  /** Short lives in a row after which it is given up. */
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
