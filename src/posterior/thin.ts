/** Min–max thinning of a trace: few points that look like all of them, because no extreme or flagged draw is lost. */

export interface ThinnedTrace {
  /** Iterations of the kept draws, ascending, and their values. */
  readonly iterations: Float64Array;
  readonly values: Float64Array;
  /** Draws represented by one kept draw: 1 if nothing was dropped ("1 in 250 shown, extremes kept"). */
  readonly factor: number;
}

export interface ThinOptions {
  /** Two per pixel column are enough. Flagged draws are added to these. */
  readonly maxPoints: number;
  /** Iteration of the first draw (default 1) and distance between draws (default 1, `thin` of the run). */
  readonly firstIteration?: number;
  readonly step?: number;
  /** Draws to keep whatever their value (divergences): nonzero at their index. */
  readonly flags?: ArrayLike<number> | null;
}

/**
 * Divides the draws into columns of equal width and keeps the lowest, the highest and the flagged ones of each, in
 * iteration order. NaN loses against any number; a column of NaN keeps only its first, so gaps stay visible.
 * Infinities are extremes like any others.
 */
export function thinTrace(values: Float64Array, options: ThinOptions): ThinnedTrace {
  const { maxPoints, firstIteration = 1, step = 1, flags = null } = options;
  const count = values.length;
  const numColumns = Math.max(1, Math.floor(maxPoints / 2));
  const kept = count <= 2 * numColumns ? null : keptIndices(values, numColumns, flags);
  const size = kept === null ? count : kept.length;
  const trace = { iterations: new Float64Array(size), values: new Float64Array(size) };
  for (let i = 0; i < size; i++) {
    const index = kept === null ? i : kept[i];
    trace.iterations[i] = firstIteration + index * step;
    trace.values[i] = values[index];
  }
  return { ...trace, factor: size === 0 ? 1 : count / size };
}

function keptIndices(
  values: Float64Array,
  numColumns: number,
  flags: ArrayLike<number> | null,
): Uint32Array {
  const count = values.length;
  const kept = new Uint32Array(2 * numColumns + countFlags(flags, count));
  let size = 0;
  for (let column = 0; column < numColumns; column++) {
    const from = Math.floor((column * count) / numColumns);
    const to = Math.floor(((column + 1) * count) / numColumns);
    let low = from;
    let high = from;
    for (let i = from + 1; i < to; i++) {
      const value = values[i];
      // Written so that NaN at the kept position is replaced and NaN at the new position is not.
      if (value < values[low] || (values[low] !== values[low] && value === value)) low = i;
      if (value > values[high] || (values[high] !== values[high] && value === value)) high = i;
    }
    if (flags === null) {
      kept[size++] = Math.min(low, high);
      if (low !== high) kept[size++] = Math.max(low, high);
    } else {
      for (let i = from; i < to; i++) if (i === low || i === high || flags[i]) kept[size++] = i;
    }
  }
  return kept.slice(0, size);
}

function countFlags(flags: ArrayLike<number> | null, count: number): number {
  if (flags === null) return 0;
  let flagged = 0;
  for (let i = 0; i < count; i++) if (flags[i]) flagged++;
  return flagged;
}
