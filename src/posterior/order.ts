/** The only sort of a variable: its draws by value, in linear time. */
import { createIndexScratch, createScratch } from './scratch.ts';

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const DIGITS = 3;
const HIGH_WORD = new Uint32Array(new Float64Array([1]).buffer)[1] === 0 ? 0 : 1;
/** Draws with the same upper half: up to this many are sorted by insertion, more by the lower half first. */
const SHORT_RUN = 24;

/** Arrays shared by sorts of few draws: a run's variables are summarised by the thousand, one at a time. */
interface Scratch {
  readonly doubles: Float64Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly other: Uint32Array;
}

/** Maximum number of draws for which the arrays are kept: less than 2 MB. */
const KEPT = 2 ** 16;
let kept = makeScratch(0);
const counts = new Uint32Array(DIGITS * BUCKETS);

function makeScratch(count: number): Scratch {
  return {
    doubles: new Float64Array(count),
    low: new Uint32Array(count),
    high: new Uint32Array(count),
    other: new Uint32Array(count),
  };
}

function scratchFor(count: number): Scratch {
  if (kept.low.length >= count) return kept;
  const scratch = makeScratch(count);
  if (count <= KEPT) kept = scratch;
  return scratch;
}

/** Values in ascending order, and the original index of each. */
export interface SortedDraws {
  readonly order: Uint32Array;
  readonly sorted: Float64Array;
}

const newMemory = (count: number): SortedDraws => ({
  order: new Uint32Array(count),
  sorted: new Float64Array(count),
});

/** Memory that the next call returns again, for intermediate results. */
export function createSortedScratch(): (count: number) => SortedDraws {
  const [order, sorted] = [createIndexScratch(), createScratch()];
  return (count) => ({ order: order(count), sorted: sorted(count) });
}

/**
 * `values`, which must not contain NaN, in ascending order; equal values keep their order, and −0 equals 0. `memory`
 * may give arrays of a length to overwrite.
 */
export function sortDraws(values: Float64Array, memory = newMemory): SortedDraws {
  const out = memory(values.length);
  if (sortEvenly(values, out)) return out;
  orderByBits(values, out.order);
  takeInOrder(values, out.order, out.sorted);
  return out;
}

/** Indices of `values` in the order of {@link sortDraws}. */
export const sortedOrder = (values: Float64Array): Uint32Array => sortDraws(values).order;

/** More let fewer draws share one, which insertion has to sort, but all must be counted. */
const BUCKETS_A_DRAW = 2;
/** Squared bucket counts per draw: above this, insertion costs more than sorting by bits. */
const CROWDED = 24;
let keptBuckets = new Uint32Array(0);
let keptFirsts = new Uint32Array(0);

/**
 * Buckets along the range of values, then insertion: a third of the time of {@link orderByBits} for draws that lie close
 * together. False, with nothing written, if they do not (heavy tails, few distinct values), if there are many, and if
 * the range is not a number. Each loop is a function, which V8 compiles sooner than one with many loops.
 */
function sortEvenly(values: Float64Array, { order, sorted }: SortedDraws): boolean {
  const count = values.length;
  if (count < 2 || count > KEPT) return false;
  const numBuckets = BUCKETS_A_DRAW * count;
  const least = leastOf(values);
  const scale = (numBuckets - 1) / (mostOf(values) - least);
  if (!(scale > 0 && scale < Infinity)) return false;
  if (keptBuckets.length < count) {
    keptBuckets = new Uint32Array(count);
    keptFirsts = new Uint32Array(numBuckets);
  }
  const firsts = keptFirsts.subarray(0, numBuckets).fill(0);
  fillBuckets(values, { least, scale, last: numBuckets - 1 }, keptBuckets, firsts);
  if (startBuckets(firsts) > CROWDED * count) return false;
  for (let i = 0; i < count; i++) {
    const at = firsts[keptBuckets[i]]++;
    order[at] = i;
    sorted[at] = values[i];
  }
  insertByValue(order, sorted);
  return true;
}

function leastOf(values: Float64Array): number {
  let least = values[0];
  for (let i = 1; i < values.length; i++) least = Math.min(least, values[i]);
  return least;
}

function mostOf(values: Float64Array): number {
  let most = values[0];
  for (let i = 1; i < values.length; i++) most = Math.max(most, values[i]);
  return most;
}

/** The bucket of each value, and how many values each has. */
function fillBuckets(
  values: Float64Array,
  { least, scale, last }: { least: number; scale: number; last: number },
  buckets: Uint32Array,
  sizes: Uint32Array,
): void {
  for (let i = 0; i < values.length; i++) {
    const bucket = Math.min(last, (values[i] - least) * scale) >>> 0;
    buckets[i] = bucket;
    sizes[bucket]++;
  }
}

/** Turns sizes into first positions; returns the sum of their squares. */
function startBuckets(sizes: Uint32Array): number {
  let position = 0;
  let squares = 0;
  for (let bucket = 0; bucket < sizes.length; bucket++) {
    const size = sizes[bucket];
    sizes[bucket] = position;
    position += size;
    squares += size * size;
  }
  return squares;
}

/** Sorts values that are near their positions. */
function insertByValue(order: Uint32Array, sorted: Float64Array): void {
  for (let i = 1; i < sorted.length; i++) {
    const value = sorted[i];
    if (sorted[i - 1] <= value) continue;
    const index = order[i];
    let at = i;
    for (; at > 0 && sorted[at - 1] > value; at--) {
      sorted[at] = sorted[at - 1];
      order[at] = order[at - 1];
    }
    sorted[at] = value;
    order[at] = index;
  }
}

/**
 * A least-significant-digit radix sort, with digits of eleven bits, over the doubles' bits mapped so that they compare
 * as unsigned integers: over the upper halves, which distinguish most draws, and over the lower ones if these do not.
 */
function orderByBits(values: Float64Array, order: Uint32Array): void {
  const count = values.length;
  const scratch = scratchFor(count);
  splitWords(values, scratch);
  const { low, high, other } = scratch;
  for (let i = 0; i < count; i++) order[i] = i;
  sortByWord(order, other, high);
  if (orderTies(order, scratch)) return;
  for (let i = 0; i < count; i++) order[i] = i;
  sortByWord(order, other, low);
  sortByWord(order, other, high);
}

/** The halves of each double, as words that compare as the doubles do. */
function splitWords(values: Float64Array, { doubles, low, high }: Scratch): void {
  const count = values.length;
  for (let i = 0; i < count; i++) doubles[i] = values[i] + 0;
  const words = new Uint32Array(doubles.buffer);
  for (let i = 0; i < count; i++) {
    const h = words[2 * i + HIGH_WORD];
    const l = words[2 * i + 1 - HIGH_WORD];
    const isNegative = h >>> 31 === 1;
    high[i] = isNegative ? ~h : h | 0x80000000;
    low[i] = isNegative ? ~l : l;
  }
}

/** Sorts `order` by `words`, leaving equal words in their order. */
function sortByWord(order: Uint32Array, other: Uint32Array, words: Uint32Array): void {
  const count = order.length;
  counts.fill(0);
  for (let i = 0; i < count; i++) {
    const word = words[i];
    counts[word & 2047]++;
    counts[BUCKETS + ((word >>> 11) & 2047)]++;
    counts[2 * BUCKETS + (word >>> 22)]++;
  }
  let [from, to] = [order, other];
  for (let digit = 0; digit < DIGITS; digit++) {
    const first = digit * BUCKETS;
    if (!startOffsets(first, count)) continue;
    const shift = digit * DIGIT_BITS;
    for (let i = 0; i < count; i++) {
      const index = from[i];
      to[counts[first + ((words[index] >>> shift) & 2047)]++] = index;
    }
    [from, to] = [to, from];
  }
  if (from !== order) for (let i = 0; i < count; i++) order[i] = from[i];
}

/** Turns the counts of a digit into first positions; false if all values share the digit, so nothing would move. */
function startOffsets(first: number, total: number): boolean {
  let position = 0;
  for (let bucket = first; bucket < first + BUCKETS; bucket++) {
    const here = counts[bucket];
    if (here === total) return false;
    counts[bucket] = position;
    position += here;
  }
  return true;
}

/** Sorts values with equal upper halves by the lower half; false if that is too much for insertion. */
function orderTies(order: Uint32Array, { low, high }: Scratch): boolean {
  const count = order.length;
  for (let start = 0; start < count; ) {
    const word = high[order[start]];
    let end = start + 1;
    let isOrdered = true;
    while (end < count && high[order[end]] === word) {
      if (low[order[end]] < low[order[end - 1]]) isOrdered = false;
      end++;
    }
    if (!isOrdered) {
      if (end - start > SHORT_RUN) return false;
      insertByWord(order, low, start, end);
    }
    start = end;
  }
  return true;
}

function insertByWord(order: Uint32Array, words: Uint32Array, start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    const index = order[i];
    const word = words[index];
    let at = i;
    for (; at > start && words[order[at - 1]] > word; at--) order[at] = order[at - 1];
    order[at] = index;
  }
}

/** `values` taken in `order`; `sorted` may be given as a buffer to overwrite. */
export function takeInOrder(
  values: Float64Array,
  order: Uint32Array,
  sorted: Float64Array = new Float64Array(order.length),
): Float64Array {
  for (let i = 0; i < order.length; i++) sorted[i] = values[order[i]];
  return sorted;
}

/** First position whose value is not below `value`. */
export function firstNotBelow(sorted: Float64Array, value: number): number {
  return firstWhere(sorted, (other) => other >= value);
}

/** First position whose value is above `value`. */
export function firstAbove(sorted: Float64Array, value: number): number {
  return firstWhere(sorted, (other) => other > value);
}

/** `isThere` is false for the first values and true for the others. */
function firstWhere(sorted: Float64Array, isThere: (value: number) => boolean): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isThere(sorted[middle])) to = middle;
    else from = middle + 1;
  }
  return from;
}
