/**
 * Gives back what large typed arrays held. V8 collects by the growth of its own heap, and counts the bytes of arrays late: a
 * worker that summed up a million draws kept a hundred megabytes that nothing used, for as long as it was idle.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Milliseconds until a collection that nobody has to wait for. */
const soonMs = 1000;
let waiting: NodeJS.Timeout | null = null;

/** {@link releaseMemory} a second later, once for all calls until then: where somebody waits for an answer first. */
export function releaseMemorySoon(): void {
  waiting ??= setTimeout(() => {
    waiting = null;
    releaseMemory();
  }, soonMs).unref();
}

/** Takes about ten milliseconds: to be called after megabytes, not after rows. */
export function releaseMemory(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
