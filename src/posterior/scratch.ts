/**
 * Arrays for the middle of a computation, used again by the next one: a summary of a thousand variables would otherwise
 * leave hundreds of megabytes to the collector. Only for what ends before its caller does anything else.
 */

/** Values for which an array is kept: half a megabyte. */
const KEPT = 2 ** 16;

/** A function that gives the same memory each time it is asked; what is in it is what was left there. */
export function createScratch(): (length: number) => Float64Array {
  let kept = new Float64Array(0);
  return (length) => {
    if (length > KEPT) return new Float64Array(length);
    if (kept.length < length) kept = new Float64Array(length);
    return kept.length === length ? kept : kept.subarray(0, length);
  };
}
