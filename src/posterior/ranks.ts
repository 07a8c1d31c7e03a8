/** Average ranks of draws, folded ranks, and the normal scores of ranks. */
import { normalQuantile } from './normal-quantile.ts';

/**
 * Average ranks (from 1) of the values, written at their indices; ties share the mean of their ranks.
 * `order` and `sorted` are of the same values; `place`, where given, says where an index stands in `out`
 * (−1: not ranked at all).
 */
export function averageRanks(
  order: Uint32Array,
  sorted: Float64Array,
  out: Float64Array,
  place: Int32Array | null = null,
): void {
  const count = order.length;
  let ranked = 0;
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && sorted[end] === sorted[start]) end++;
    let members = end - start;
    if (place !== null) {
      members = 0;
      for (let i = start; i < end; i++) if (place[order[i]] >= 0) members++;
    }
    const rank = ranked + (members + 1) / 2;
    for (let i = start; i < end; i++) {
      const at = place === null ? order[i] : place[order[i]];
      if (at >= 0) out[at] = rank;
    }
    ranked += members;
    start = end;
  }
}

/**
 * Order and distances of |x − centre| from the order of x, in one walk outwards from the centre.
 * Subtraction is monotone in floating point too, so each side is in order already.
 */
export function foldOrder(
  order: Uint32Array,
  sorted: Float64Array,
  centre: number,
): { order: Uint32Array; sorted: Float64Array } {
  const count = order.length;
  const folded = { order: new Uint32Array(count), sorted: new Float64Array(count) };
  let right = lowerBound(sorted, centre);
  let left = right - 1;
  for (let i = 0; i < count; i++) {
    const toLeft = left >= 0 ? Math.abs(sorted[left] - centre) : Infinity;
    const toRight = right < count ? Math.abs(sorted[right] - centre) : Infinity;
    if (right >= count || toLeft < toRight) {
      folded.sorted[i] = toLeft;
      folded.order[i] = order[left--];
    } else {
      folded.sorted[i] = toRight;
      folded.order[i] = order[right++];
    }
  }
  return folded;
}

/** First position whose value is not below `value`. */
function lowerBound(sorted: Float64Array, value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle] < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

let cachedScores: Float64Array = new Float64Array(0);

/** Normal scores of whole ranks 1…count; the last count is kept, since all variables of a run share it. */
function scoresOfWholeRanks(count: number): Float64Array {
  if (cachedScores.length === count + 1) return cachedScores;
  const scores = new Float64Array(count + 1);
  for (let rank = 1; rank <= count; rank++) {
    scores[rank] = normalQuantile((rank - 0.375) / (count + 0.25));
  }
  cachedScores = scores;
  return scores;
}

/**
 * Replaces ranks by normal scores z = Φ⁻¹((r − 3/8)/(S + 1/4)), S the number of ranks.
 * Source: Blom 1958; Vehtari et al. 2021, arXiv 1903.08008, eq. 14.
 */
export function normalScores(ranks: Float64Array): void {
  const count = ranks.length;
  const scores = scoresOfWholeRanks(count);
  for (let i = 0; i < count; i++) {
    const rank = ranks[i];
    const whole = Math.floor(rank);
    ranks[i] = whole === rank ? scores[whole] : normalQuantile((rank - 0.375) / (count + 0.25));
  }
}
