/**
 * Arrays for intermediate results, reused by the next computation: a summary of a thousand variables would otherwise
 * leave hundreds of megabytes to the collector. Only for work that ends before its caller does anything else.
 */

/** Maximum number of values for which an array is kept: half a megabyte. */
const KEPT = 2 ** 16;

/** A function that returns the same memory at each call, with whatever was left in it. */
export const createScratch = () => scratchOf((length) => new Float64Array(length));

/** The same for indices. */
export const createIndexScratch = () => scratchOf((length) => new Uint32Array(length));

/** The same for bytes. */
export const createByteScratch = () => scratchOf((length) => new Uint8Array(length));

interface Scratch<A> {
  readonly length: number;
  subarray(from: number, to: number): A;
}

function scratchOf<A extends Scratch<A>>(make: (length: number) => A): (length: number) => A {
  let kept = make(0);
  return (length) => {
    if (length > KEPT) return make(length);
    if (kept.length < length) kept = make(length);
    return kept.length === length ? kept : kept.subarray(0, length);
  };
}
