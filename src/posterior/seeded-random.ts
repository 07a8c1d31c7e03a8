/** Random numbers from a fixed seed: a plot must not change from one view to the next. */

/** Uniform numbers in [0, 1) (splitmix32). */
export function createRandom(seed = 20_210_319): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let x = state ^ (state >>> 16);
    x = Math.imul(x, 0x21f0aaad);
    x ^= x >>> 15;
    x = Math.imul(x, 0x735a2d97);
    return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
  };
}
