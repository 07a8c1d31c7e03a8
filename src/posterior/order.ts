/** The only sort of a variable: its draws by value, in linear time. */

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

/** `values`, which must not contain NaN, in ascending order; equal values keep their order, and −0 equals 0. */
export function sortDraws(values: Float64Array): SortedDraws {
  const even = sortEvenly(values);
  if (even !== null) return even;
  const order = orderByBits(values);
  return { order, sorted: takeInOrder(values, order) };
}

/** Indices of `values` in the order of {@link sortDraws}. */
export const sortedOrder = (values: Float64Array): Uint32Array => sortDraws(values).order;

/** Squared bucket counts per draw: above this, insertion costs more than sorting by bits. */
const CROWDED = 24;
let keptBuckets = new Uint32Array(0);
let keptCounts = new Uint32Array(0);

/**
 * One bucket per draw along the range of values, then insertion: a third of the time of {@link orderByBits} for draws
 * that lie close together. Null if they do not (heavy tails, few distinct values), if there are many, and if the range
 * is not a number.
 */
function sortEvenly(values: Float64Array): SortedDraws | null {
  const count = values.length;
  if (count < 2 || count > KEPT) return null;
  let [least, most] = [values[0], values[0]];
  for (let i = 1; i < count; i++) {
    const value = values[i];
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const scale = (count - 1) / (most - least);
  if (!(scale > 0 && scale < Infinity)) return null;
  if (keptBuckets.length < count) {
    keptBuckets = new Uint32Array(count);
    keptCounts = new Uint32Array(count);
  }
  const buckets = keptBuckets;
  const firsts = keptCounts;
  firsts.fill(0, 0, count);
  for (let i = 0; i < count; i++) {
    const bucket = Math.min(count - 1, (values[i] - least) * scale) >>> 0;
    buckets[i] = bucket;
    firsts[bucket]++;
  }
  let [position, squares] = [0, 0];
  for (let bucket = 0; bucket < count; bucket++) {
    const here = firsts[bucket];
    firsts[bucket] = position;
    position += here;
    squares += here * here;
  }
  if (squares > CROWDED * count) return null;
  const order = new Uint32Array(count);
  const sorted = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const at = firsts[buckets[i]]++;
    order[at] = i;
    sorted[at] = values[i];
  }
  insertByValue(order, sorted);
  return { order, sorted };
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
function orderByBits(values: Float64Array): Uint32Array {
  const count = values.length;
  const scratch = scratchFor(count);
  splitWords(values, scratch);
  const { low, high, other } = scratch;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  sortByWord(order, other, high);
  if (orderTies(order, scratch)) return order;
  for (let i = 0; i < count; i++) order[i] = i;
  sortByWord(order, other, low);
  sortByWord(order, other, high);
  return order;
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

/** `values` taken in `order`. */
export function takeInOrder(values: Float64Array, order: Uint32Array): Float64Array {
  const sorted = new Float64Array(order.length);
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
