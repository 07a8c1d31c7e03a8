/**
 * ECDF of values that should be uniform, with a simultaneous band.
 * Source: Säilynoja, Bürkner & Vehtari 2022, Statistics and Computing 32:32, sections 2.1 and 2.2.
 */

export interface UniformEcdf {
  /** Points of evaluation, the last is 1. */
  readonly z: Float64Array;
  /** ECDF minus z. */
  readonly difference: Float64Array;
  /** The simultaneous band of the difference. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface UniformEcdfOptions {
  /** Evaluation points (default: 100, or the number of values when fewer). */
  readonly points?: number;
  /** Probability that uniform values stay inside everywhere (default 0.95). */
  readonly probability?: number;
}

/** Null for no values, or values that are not in [0, 1]. */
export function uniformEcdf(
  values: Float64Array,
  { points: wanted = 100, probability = 0.95 }: UniformEcdfOptions = {},
): UniformEcdf | null {
  const n = values.length;
  if (n === 0 || !values.every((value) => value >= 0 && value <= 1)) return null;
  const points = Math.max(2, Math.min(n, wanted));
  const { low, high } = uniformBand(n, points, probability);
  const z = Float64Array.from({ length: points }, (_, k) => (k + 1) / points);
  const sorted = values.slice().sort();
  let below = 0;
  const difference = z.map((at) => {
    while (sorted[below] <= at) below++;
    return below / n - at;
  });
  return {
    z,
    difference,
    low: low.map((count, k) => count / n - z[k]),
    high: high.map((count, k) => count / n - z[k]),
  };
}

interface CountBand {
  /** At each point: the fewest and the most values up to there. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

const known = new Map<string, CountBand>();

/** γ is found by bisection; it is a step function of the counts, so more steps change nothing. */
const halvings = 25;
/** Larger samples use the γ of this size: it hardly changes once there are few points in comparison. */
const largestExact = 1000;

/** The narrowest band of equal pointwise level γ that holds `probability` of uniform samples of `n` (algorithm 1). */
export function uniformBand(n: number, points: number, probability: number): CountBand {
  const key = [n, points, probability].join();
  const found = known.get(key);
  if (found !== undefined) return found;
  const size = Math.min(n, Math.max(points, largestExact));
  const exact = massesOf(size, points);
  let [from, to] = [0, 1 - probability];
  for (let step = 0; step < halvings; step++) {
    const gamma = (from + to) / 2;
    if (bandCoverage(bandAt(exact, size, gamma), size) >= probability) from = gamma;
    else to = gamma;
  }
  const band = bandAt(size === n ? exact : massesOf(n, points), n, from);
  if (known.size >= 64) known.clear();
  known.set(key, band);
  return band;
}

/** At each point but the last: the probability of each number of values up to there. */
function massesOf(n: number, points: number): Float64Array[] {
  return Array.from({ length: points - 1 }, (_, k) => {
    const p = (k + 1) / points;
    return Float64Array.from({ length: n + 1 }, (__, count) => binomialAt(count, n, p));
  });
}

function bandAt(masses: readonly Float64Array[], n: number, gamma: number): CountBand {
  const last = masses.length;
  const low = new Float64Array(last + 1).fill(n);
  const high = new Float64Array(last + 1).fill(n);
  for (let k = 0; k < last; k++) {
    low[k] = quantile(masses[k], gamma / 2);
    // by symmetry: how many lie above 1 − z
    high[last - 1 - k] = n - low[k];
  }
  return { low, high };
}

/** Smallest count whose cumulative probability reaches `p`. */
function quantile(mass: Float64Array, p: number): number {
  let count = 0;
  let below = mass[0];
  while (below < p) below += mass[++count];
  return count;
}

/** Probability that the counts of a uniform sample are within the band at every point, by recursion (eq. 7). */
export function bandCoverage({ low, high }: CountBand, n: number): number {
  const points = low.length;
  let chance = Float64Array.of(1);
  let first = 0;
  for (let k = 0; k < points; k++) {
    const next = new Float64Array(Math.max(0, high[k] - low[k] + 1));
    // of those not yet counted, each lies in this step with the same probability
    const step = 1 / (points - k);
    const odds = step / (1 - step);
    for (let i = 0; i < chance.length; i++) {
      const counted = first + i;
      const rest = n - counted;
      const from = Math.max(0, low[k] - counted);
      const to = high[k] - counted;
      let mass = binomialAt(from, rest, step);
      for (let more = from; more <= to; more++) {
        next[counted + more - low[k]] += chance[i] * mass;
        // each from the previous one, unless that was too small to have full precision
        mass =
          mass > smallestExact
            ? (mass * odds * (rest - more)) / (more + 1)
            : binomialAt(more + 1, rest, step);
      }
    }
    chance = next;
    first = low[k];
  }
  return chance.reduce((sum, value) => sum + value, 0);
}

/** Numbers much smaller lose digits. */
const smallestExact = 1e-300;

const logFactorials: number[] = [0];

function logFactorial(n: number): number {
  for (let i = logFactorials.length; i <= n; i++)
    logFactorials.push(logFactorials[i - 1] + Math.log(i));
  return logFactorials[n];
}

function binomialAt(count: number, n: number, p: number): number {
  if (p >= 1) return count === n ? 1 : 0;
  return Math.exp(
    logFactorial(n) -
      logFactorial(count) -
      logFactorial(n - count) +
      count * Math.log(p) +
      (n - count) * Math.log1p(-p),
  );
}
