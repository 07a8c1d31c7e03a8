/** Average ranks of draws, folded ranks, and the normal scores of ranks. */
import { normalQuantile } from './normal-quantile.ts';
import { firstNotBelow, type SortedDraws } from './order.ts';

/**
 * Average ranks (from 1) of the values, written at their indices; ties share the mean of their ranks.
 * `order` and `sorted` are of the same values; `place`, if given, maps an index to its position in `out`
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
 * Normal scores of the average ranks, see {@link normalScores}, in the positions of {@link averageRanks}: in one pass
 * if positions do not change.
 */
export function rankScores(
  { order, sorted }: SortedDraws,
  out: Float64Array,
  place: Int32Array | null = null,
): void {
  if (place !== null) {
    averageRanks(order, sorted, out, place);
    normalScores(out);
    return;
  }
  const count = order.length;
  const scores = scoresOfWholeRanks(count);
  for (let start = 0; start < count; ) {
    const value = sorted[start];
    // not by reading past the end: V8 would then treat every value as possibly undefined
    if (start + 1 === count || sorted[start + 1] !== value) {
      out[order[start]] = scores[start + 1];
      start++;
      continue;
    }
    let end = start + 2;
    while (end < count && sorted[end] === value) end++;
    const score = scoreOfRank((start + end + 1) / 2, scores);
    for (let i = start; i < end; i++) out[order[i]] = score;
    start = end;
  }
}

/**
 * Order and distances of |x − centre| from the order of x, in one pass outwards from the centre.
 * Subtraction is monotone in floating point too, so each side is in order already. `folded` may be given as arrays to
 * overwrite.
 */
export function foldOrder(
  { order, sorted }: SortedDraws,
  centre: number,
  folded: SortedDraws = {
    order: new Uint32Array(order.length),
    sorted: new Float64Array(order.length),
  },
): SortedDraws {
  const count = order.length;
  let right = firstNotBelow(sorted, centre);
  let left = right - 1;
  for (let i = 0; i < count; i++) {
    const toLeft = left >= 0 ? centre - sorted[left] : Infinity;
    const toRight = right < count ? sorted[right] - centre : NaN;
    // A number instead of a branch: which side is nearer is as good as random, and wrong guesses of the processor would
    // cost more than all the rest. No comparison with NaN is true.
    const isRight = +(toRight <= toLeft);
    const at = left + (right - left) * isRight;
    folded.sorted[i] = Math.abs(sorted[at] - centre);
    folded.order[i] = order[at];
    right += isRight;
    left += isRight - 1;
  }
  return folded;
}

let cachedScores: Float64Array = new Float64Array(0);

/** Normal scores of integer ranks 1…count; the last result is cached, since all variables of a run share it. */
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
 * Replaces ranks with normal scores z = Φ⁻¹((r − 3/8)/(S + 1/4)), S the number of ranks.
 * Source: Blom 1958; Vehtari et al. 2021, arXiv 1903.08008, eq. 14.
 */
export function normalScores(ranks: Float64Array): void {
  const scores = scoresOfWholeRanks(ranks.length);
  for (let i = 0; i < ranks.length; i++) ranks[i] = scoreOfRank(ranks[i], scores);
}

/** `scores`: of the integer ranks. */
function scoreOfRank(rank: number, scores: Float64Array): number {
  const count = scores.length - 1;
  const whole = Math.floor(rank);
  return whole === rank ? scores[whole] : normalQuantile((rank - 0.375) / (count + 0.25));
}
