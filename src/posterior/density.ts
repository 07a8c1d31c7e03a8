/** Kernel density estimates that end where a variable's range ends. */
import { quantileOfSorted } from './quantile.ts';

export interface Density {
  readonly x: Float64Array;
  /** Integrates to 1 over x. */
  readonly y: Float64Array;
}

export interface DensityOptions {
  /** Points of the grid (default 256). */
  readonly points?: number;
  /** Declared bounds (±∞: none); where absent, a bound is guessed, see {@link guessBounds}. */
  readonly lower?: number;
  readonly upper?: number;
}

/**
 * Gaussian kernel density of the finite values on an even grid. Bandwidth by Silverman's rule,
 * 0.9·min(sd, IQR/1.34)·n^(−1/5) (1986, eq. 3.31). At a bound the mass that would leak beyond is reflected back, so
 * the estimate is not drawn down to zero there. Empty for fewer than two finite values or a constant.
 */
export function density(values: Float64Array, options: DensityOptions = {}): Density {
  const sorted = values.filter(Number.isFinite).sort();
  const points = options.points ?? 256;
  const bandwidth = silvermanBandwidth(sorted);
  if (!(bandwidth > 0)) return { x: new Float64Array(0), y: new Float64Array(0) };

  const guessed = guessBounds(sorted);
  const lower = options.lower ?? guessed.lower;
  const upper = options.upper ?? guessed.upper;
  const from = Math.max(lower, sorted[0] - 3 * bandwidth);
  const to = Math.min(upper, sorted[sorted.length - 1] + 3 * bandwidth);
  const step = (to - from) / (points - 1);
  const mass = binLinearly(sorted, from, step, points);
  const y = smooth(mass, bandwidth / step, Number.isFinite(lower), Number.isFinite(upper));

  let area = 0;
  for (let i = 0; i < points; i++) area += y[i] * step * (i === 0 || i === points - 1 ? 0.5 : 1);
  for (let i = 0; i < points; i++) y[i] /= area;
  return { x: Float64Array.from({ length: points }, (_, i) => from + i * step), y };
}

function silvermanBandwidth(sorted: Float64Array): number {
  const count = sorted.length;
  if (count < 2 || sorted[0] === sorted[count - 1]) return NaN;
  let sum = 0;
  for (const value of sorted) sum += value;
  let squares = 0;
  for (const value of sorted) squares += (value - sum / count) ** 2;
  const sd = Math.sqrt(squares / (count - 1));
  const spread = (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / 1.34;
  return 0.9 * (spread > 0 ? Math.min(sd, spread) : sd) * count ** -0.2;
}

/**
 * Bounds that the draws suggest: 0 when none is negative and the lowest lies near it, 1 likewise when all lie in
 * [0, 1]; ±∞ otherwise. Near means within a twentieth of the interquartile range.
 */
function guessBounds(sorted: Float64Array): { lower: number; upper: number } {
  const low = sorted[0];
  const high = sorted[sorted.length - 1];
  const near = 0.05 * (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25));
  const lower = low >= 0 && low <= near ? 0 : -Infinity;
  const isShare = low >= 0 && high <= 1 && 1 - high <= near;
  return { lower, upper: isShare ? 1 : Infinity };
}

/** Each value shared between the two grid points beside it, by nearness. */
function binLinearly(
  sorted: Float64Array,
  from: number,
  step: number,
  points: number,
): Float64Array {
  const mass = new Float64Array(points);
  for (const value of sorted) {
    const position = (value - from) / step;
    // Beyond a declared bound: a wrong declaration must not make the plot fail.
    if (position < 0 || position > points - 1) continue;
    const below = Math.min(points - 2, Math.floor(position));
    mass[below] += 1 - (position - below);
    mass[below + 1] += position - below;
  }
  return mass;
}

/** Convolution with a Gaussian of `width` grid steps; mass that would pass a bounded end is mirrored there. */
function smooth(
  mass: Float64Array,
  width: number,
  mirrorLow: boolean,
  mirrorHigh: boolean,
): Float64Array {
  const points = mass.length;
  const reach = Math.min(points - 1, Math.ceil(4 * width));
  const kernel = Float64Array.from({ length: reach + 1 }, (_, d) =>
    Math.exp(-0.5 * (d / width) ** 2),
  );
  const out = new Float64Array(points);
  const add = (at: number, value: number) => {
    if (at >= 0 && at < points) out[at] += value;
  };
  for (let i = 0; i < points; i++) {
    if (mass[i] === 0) continue;
    for (let offset = -reach; offset <= reach; offset++) {
      const at = i + offset;
      const value = mass[i] * kernel[Math.abs(offset)];
      add(at, value);
      // The end itself is its own mirror image.
      if (mirrorLow && at <= 0) add(-at, value);
      if (mirrorHigh && at >= points - 1) add(2 * (points - 1) - at, value);
    }
  }
  return out;
}
