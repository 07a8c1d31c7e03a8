/** The one sort of a variable: the order of its draws by value, in linear time. */

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const DIGITS = 6;
const HIGH_WORD = new Uint32Array(new Float64Array([1]).buffer)[1] === 0 ? 0 : 1;

/**
 * Indices of `values` in ascending order of value; equal values keep their order, and −0 equals 0.
 * `values` must not hold NaN. A radix sort from the least digit over the bits of the doubles, six digits of eleven
 * bits, turned so that they compare as unsigned integers.
 */
export function sortedOrder(values: Float64Array): Uint32Array {
  const count = values.length;
  const doubles = new Float64Array(count);
  for (let i = 0; i < count; i++) doubles[i] = values[i] + 0;
  const words = new Uint32Array(doubles.buffer);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  const counts = new Uint32Array(DIGITS * BUCKETS);
  for (let i = 0; i < count; i++) {
    let h = words[2 * i + HIGH_WORD];
    let l = words[2 * i + 1 - HIGH_WORD];
    if (h >>> 31 === 1) {
      h = ~h >>> 0;
      l = ~l >>> 0;
    } else {
      h = (h | 0x80000000) >>> 0;
    }
    high[i] = h;
    low[i] = l;
    counts[l & 2047]++;
    counts[BUCKETS + ((l >>> 11) & 2047)]++;
    counts[2 * BUCKETS + (l >>> 22)]++;
    counts[3 * BUCKETS + (h & 2047)]++;
    counts[4 * BUCKETS + ((h >>> 11) & 2047)]++;
    counts[5 * BUCKETS + (h >>> 22)]++;
  }
  let order = new Uint32Array(count);
  let other = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (let digit = 0; digit < DIGITS; digit++) {
    const words32 = digit < 3 ? low : high;
    const shift = (digit % 3) * DIGIT_BITS;
    if (!startOffsets(counts, digit * BUCKETS, count)) continue;
    for (let i = 0; i < count; i++) {
      const index = order[i];
      const bucket = digit * BUCKETS + ((words32[index] >>> shift) & 2047);
      other[counts[bucket]++] = index;
    }
    [order, other] = [other, order];
  }
  return order;
}

/** Turns the counts of a digit into first positions; false when all values share the digit, so nothing would move. */
function startOffsets(counts: Uint32Array, from: number, total: number): boolean {
  let position = 0;
  for (let bucket = from; bucket < from + BUCKETS; bucket++) {
    const here = counts[bucket];
    if (here === total) return false;
    counts[bucket] = position;
    position += here;
  }
  return true;
}

/** `values` taken in `order`. */
export function takeInOrder(values: Float64Array, order: Uint32Array): Float64Array {
  const sorted = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) sorted[i] = values[order[i]];
  return sorted;
}
