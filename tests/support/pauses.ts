/** Pauses between polls of a service: a poll costs it and its database 7 ms of processor time, which the work needs. */

/** Milliseconds; short at first, for results that arrive quickly. */
const FIRST = 15;
const GROWTH = 1.3;

/** For states that last a second or two and must not be missed; milliseconds. */
export const BRIEFLY = 50;

/** Returns the pause before the next poll, each longer than the last, up to `longest` milliseconds. */
export function createPauses(longest = 200): () => Promise<void> {
  let length = FIRST;
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, length));
    length = Math.min(longest, length * GROWTH);
  };
}
