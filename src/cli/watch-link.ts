/** Connection to the service for a command that runs for hours: retries calls until the service responds. */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../client/api-error.ts';

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Returns early, without an error, on the signal. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }).catch(() => undefined),
};

/** The user stopped the watch while the service was not responding. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

const LEAST_PAUSE_MS = 1000;
const MOST_PAUSE_MS = 30_000;

export interface LinkParts {
  readonly server: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export type Link = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that retries a call while the service is away, overloaded or starting, and says so once. Anything
 * the service rejects is thrown immediately. After the signal a call is tried once, then throws {@link GaveUp}.
 */
export function createLink({ server, clock, signal, say }: LinkParts): Link {
  let isAway = false;
  return async (call) => {
    for (let pause = LEAST_PAUSE_MS; ; pause = Math.min(MOST_PAUSE_MS, 2 * pause)) {
      try {
        const answer = await call();
        if (isAway) say(`${server} answers again.`);
        isAway = false;
        return answer;
      } catch (error) {
        if (!(error instanceof ApiError) || !isPassing(error)) throw error;
        if (signal.aborted) throw new GaveUp(error.message, { cause: error });
        if (!isAway)
          say(`No answer from ${server}: ${error.message} Trying again; nothing is lost.`);
        isAway = true;
        await clock.sleep((error.retryAfterSeconds ?? 0) * 1000 || pause, signal);
      }
    }
  };
}

function isPassing({ kind, status, code }: ApiError): boolean {
  if (kind === 'network' || kind === 'timeout') return true;
  return kind === 'http' && (status >= 500 || status === 429 || code === 'RATE_LIMITED');
}
