/** The one sort of a variable: the order of its draws by value, in linear time. */

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const DIGITS = 3;
const HIGH_WORD = new Uint32Array(new Float64Array([1]).buffer)[1] === 0 ? 0 : 1;
/** Draws that agree in their upper half: so many are put in order by insertion, more by the lower half first. */
const SHORT_RUN = 24;

/** Arrays that sorts of few draws share: the draws of a run are summed up by the thousand, one variable at a time. */
interface Scratch {
  readonly doubles: Float64Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly other: Uint32Array;
}

/** Draws for which the arrays are kept: less than 2 MB. */
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

/**
 * Indices of `values` in ascending order of value; equal values keep their order, and −0 equals 0.
 * `values` must not hold NaN. A radix sort from the least digit, digits of eleven bits, over the bits of the doubles
 * turned so that they compare as unsigned integers: over their upper halves, which distinguish most draws, and over the
 * lower ones where these do not.
 */
export function sortedOrder(values: Float64Array): Uint32Array {
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

/** Puts `order` in the order of `words`, and leaves what is equal as it stands. */
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

/** Turns the counts of a digit into first positions; false when all values share the digit, so nothing would move. */
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

/** Orders by the lower half what agrees in the upper; false where that is too much for insertion. */
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
