/** Pauses between looks at a service: a look takes it and its database 7 ms of processor, which what is waited for needs. */

/** Milliseconds; short at first, for what is there in a moment. */
const FIRST = 15;
const GROWTH = 1.3;

/** For what lasts a second or two and must be met while it lasts; milliseconds. */
export const BRIEFLY = 50;

/** Gives the pause before the next look, each longer than the last up to `longest` milliseconds. */
export function createPauses(longest = 200): () => Promise<void> {
  let length = FIRST;
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, length));
    length = Math.min(longest, length * GROWTH);
  };
}
