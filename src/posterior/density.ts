/** Kernel density estimates that stop at a variable's declared bounds, without bias there. */
import { erfc } from '../math/special/erf.ts';
import { quantileOfSorted } from './quantile.ts';

export interface Density {
  readonly x: Float64Array;
  /** Integrates to 1 over x. */
  readonly y: Float64Array;
}

/** The declared range of a variable; absent: unbounded on that side. */
export interface Bounds {
  readonly lower?: number;
  readonly upper?: number;
}

export interface DensityOptions extends Bounds {
  /** Points of the grid (default 256). */
  readonly points?: number;
}

const empty: Density = { x: new Float64Array(0), y: new Float64Array(0) };
/** Bandwidths that the curve extends beyond the draws, if no bound stops it. */
const reach = 3;
/** Part of the spread by which rounding may move a draw beyond its bound. */
const rounding = 1e-6;

/**
 * Gaussian kernel density of the finite values on an even grid. Bandwidth by Silverman's rule,
 * 0.9·min(sd, IQR/1.34)·n^(−1/5) (1986, eq. 3.31).
 *
 * Near a declared bound it is the linear boundary kernel f̂ of Jones 1993 (*Statistics and Computing* 3, 135–146,
 * eq. 3.4), and where that is below the renormalised estimate f̄ (the kernel's, divided by its mass inside the bounds),
 * f̄·exp(f̂/f̄ − 1) of Jones & Foster 1996 (*Statistica Sinica* 6, 1005–1013), which is never negative. The bias is of
 * the order of the squared bandwidth up to the bound, even if the density is steep: reflection would flatten an
 * exponential there, and a transformed scale would pull every density to 0. Farther than a few bandwidths from a
 * bound it is the plain estimate. What is drawn is scaled to integrate to 1.
 *
 * A bound that draws cross is not used, and none is guessed. Empty for fewer than two finite values, a constant, or
 * values whose range exceeds what a double can represent.
 */
export function density(values: Float64Array, options: DensityOptions = {}): Density {
  const sorted = values.filter(Number.isFinite).sort();
  const points = options.points ?? 256;
  const bandwidth = silvermanBandwidth(sorted);
  if (!(bandwidth > 0)) return empty;

  const { lower, upper } = usableBounds(sorted, options);
  const from = Math.max(lower, sorted[0] - reach * bandwidth);
  const to = Math.min(upper, sorted[sorted.length - 1] + reach * bandwidth);
  const step = (to - from) / (points - 1);
  if (!Number.isFinite(step)) return empty;
  const mass = binLinearly(sorted, from, step, points);
  // A kernel narrower than the grid would fall between its points.
  const y = estimate(mass, Math.max(0.5, bandwidth / step), {
    below: (from - lower) / step,
    above: (upper - to) / step,
  });

  let area = 0;
  for (let i = 0; i < points; i++) area += y[i] * step * (i === 0 || i === points - 1 ? 0.5 : 1);
  for (let i = 0; i < points; i++) y[i] /= area;
  const x = Float64Array.from({ length: points }, (_, i) => from + i * step);
  x[points - 1] = to;
  return { x, y };
}

function silvermanBandwidth(sorted: Float64Array): number {
  const count = sorted.length;
  // a constant, or no values
  if (sorted[0] === sorted[count - 1]) return NaN;
  let sum = 0;
  for (const value of sorted) sum += value;
  let squares = 0;
  for (const value of sorted) squares += (value - sum / count) ** 2;
  const sd = Math.sqrt(squares / (count - 1));
  const spread = (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / 1.34;
  return 0.9 * (spread > 0 ? Math.min(sd, spread) : sd) * count ** -0.2;
}

/** ±∞ if nothing is declared, or if the draws show that the declaration is not theirs. */
function usableBounds(sorted: Float64Array, { lower = -Infinity, upper = Infinity }: Bounds) {
  const low = sorted[0];
  const high = sorted[sorted.length - 1];
  const slack = rounding * (high - low);
  return {
    lower: low >= lower - slack ? lower : -Infinity,
    upper: high <= upper + slack ? upper : Infinity,
  };
}

/** Splits each value between the two grid points next to it, by proximity. */
function binLinearly(
  sorted: Float64Array,
  from: number,
  step: number,
  points: number,
): Float64Array {
  const mass = new Float64Array(points);
  for (const value of sorted) {
    const position = Math.min(points - 1, Math.max(0, (value - from) / step));
    const below = Math.floor(position);
    mass[below] += 1 - (position - below);
    mass[below + 1] += position - below;
  }
  return mass;
}

/** Grid steps from the grid's ends to the bounds; infinite: no bound. */
interface Margins {
  readonly below: number;
  readonly above: number;
}

/** The density up to a factor, at each point of the grid; `width`: the bandwidth in grid steps. */
function estimate(mass: Float64Array, width: number, { below, above }: Margins): Float64Array {
  const points = mass.length;
  const far = Math.ceil(5 * width);
  const kernel = Float64Array.from({ length: far + 1 }, (_, d) => gauss(d / width));
  return Float64Array.from(mass, (_, at) => {
    // Moments 0 and 1 of the kernel over the draws, and 0 to 2 of the kernel itself within the bounds.
    let f0 = 0;
    let f1 = 0;
    const end = Math.min(points - 1, at + far);
    for (let i = Math.max(0, at - far); i <= end; i++) {
      const part = mass[i] * kernel[Math.abs(at - i)];
      f0 += part;
      f1 += (part * (at - i)) / width;
    }
    const a = kernelMoments(-(points - 1 - at + above) / width, (at + below) / width);
    const renormalised = f0 / a[0];
    const linear = (a[2] * f0 - a[1] * f1) / (a[2] * a[0] - a[1] * a[1]);
    return linear >= renormalised ? linear : renormalised * Math.exp(linear / renormalised - 1);
  });
}

/** ∫ zᵏ φ(z) dz over [from, to], k = 0, 1, 2. */
function kernelMoments(from: number, to: number): readonly [number, number, number] {
  const mass = 0.5 * (erfc(-to / Math.SQRT2) - erfc(-from / Math.SQRT2));
  const edge = (z: number) => (Number.isFinite(z) ? z * gauss(z) : 0);
  return [mass, gauss(from) - gauss(to), mass + edge(from) - edge(to)];
}

function gauss(z: number): number {
  return Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
}
