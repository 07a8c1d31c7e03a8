/**
 * Releases the memory of large typed arrays. V8 collects as its own heap grows, and counts the bytes of arrays late: a
 * worker that summarised a million draws held a hundred megabytes of unused memory for as long as it was idle.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Milliseconds until a collection for which no request has to wait. */
const soonMs = 1000;
let waiting: NodeJS.Timeout | null = null;

/** {@link releaseMemory} a second later, once for all calls until then: for callers with an answer to send first. */
export function releaseMemorySoon(): void {
  waiting ??= setTimeout(() => {
    waiting = null;
    releaseMemory();
  }, soonMs).unref();
}

/** Needs about ten milliseconds: call it after megabytes, not after rows. */
export function releaseMemory(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
