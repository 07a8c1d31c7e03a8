/**
 * Distances that occur more than once among fixed points: those of n points at regular intervals have few values, n − 1 but for
 * rounding, so that a kernel is computed n times instead of n² ÷ 2.
 */
import type { Points } from './covariance.ts';

export interface RepeatedDistances {
  /** All different squared distances. */
  readonly squares: Float64Array;
  /** Which of them belongs to a pair, for pairs (i, j) with i > j in the order of the columns j. */
  readonly which: Uint16Array;
  /** Working space, as long as `squares`: nothing is kept here between calls. */
  readonly scratch: Float64Array;
}

/** Fewer points take less time than a search for what is known about them. */
const fewestPoints = 24;
/** Of the pairs, the most that may have a distance of their own. */
const largestShare = 1 / 4;
const mostSquares = 2 ** 16;

interface Seen {
  readonly points: Points;
  /** Undefined before the second look: points computed again for each gradient are not worth one. */
  distances?: RepeatedDistances | null;
}

const seen = new WeakMap<object, Seen>();

export function squaredDistance(values: Float64Array, dims: number, i: number, j: number): number {
  if (dims === 1) {
    const d = values[i] - values[j];
    return d * d;
  }
  let q = 0;
  for (let d = 0; d < dims; d++) {
    const z = values[i * dims + d] - values[j * dims + d];
    q += z * z;
  }
  return q;
}

/** The distances of points read from the container `key`; null if most are different or they were not seen before. */
export function repeatedDistances(key: object, points: Points): RepeatedDistances | null {
  if (points.count < fewestPoints) return null;
  const known = seen.get(key);
  // the container may have other elements than last time
  if (known === undefined || !isSame(known.points, points)) {
    seen.set(key, { points: { ...points, values: points.values.slice() } });
    return null;
  }
  if (known.distances === undefined) known.distances = findRepeated(points);
  return known.distances;
}

function isSame(a: Points, b: Points): boolean {
  if (a.count !== b.count || a.dims !== b.dims) return false;
  for (let i = 0; i < b.values.length; i++) if (a.values[i] !== b.values[i]) return false;
  return true;
}

function findRepeated({ count: n, dims, values }: Points): RepeatedDistances | null {
  const numPairs = (n * (n - 1)) / 2;
  const most = Math.min(largestShare * numPairs, mostSquares);
  const which = new Uint16Array(numPairs);
  const found = new Map<number, number>();
  let pair = 0;
  for (let j = 0; j < n; j++) {
    for (let i = j + 1; i < n; i++) {
      const square = squaredDistance(values, dims, i, j);
      let index = found.get(square);
      if (index === undefined) {
        index = found.size;
        if (index >= most) return null;
        found.set(square, index);
      }
      which[pair++] = index;
    }
  }
  const squares = Float64Array.from(found.keys());
  const scratch = new Float64Array(squares.length);
  return { squares, which, scratch };
}
