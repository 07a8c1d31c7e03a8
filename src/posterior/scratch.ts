/**
 * Arrays for the middle of a computation, used again by the next one: a summary of a thousand variables would otherwise
 * leave hundreds of megabytes to the collector. Only for what ends before its caller does anything else.
 */

/** Values for which an array is kept: half a megabyte. */
const KEPT = 2 ** 16;

/** A function that gives the same memory each time it is asked; what is in it is what was left there. */
export const createScratch = () => scratchOf((length) => new Float64Array(length));

/** The same of bytes. */
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
