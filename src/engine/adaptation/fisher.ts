/** The draws and gradients that warmup by Fisher divergence stores, and the metric it computes from them. */
import { denseOfLowRank } from '../hmc/low-rank.ts';
import { type Metric, setInvMetric } from '../hmc/metric.ts';
import type { PhasePoint } from '../hmc/phase-point.ts';
import { fisherLowRank, fisherVariance, varianceOfGradient } from './fisher-metric.ts';

/**
 * The older sample, from which the metric is computed, and how much of it is the younger one. A diagonal needs only
 * their moments; the others store rows.
 */
export interface FisherSample {
  /** Draws in total, and draws in the younger part. */
  count: number;
  youngerCount: number;
  /**
   * For a diagonal: mean and sum of squared deviations of draws, then of gradients, first for the older sample, which
   * contains the younger one, then for the younger one. Otherwise one row per draw with its gradient, oldest first, as
   * a view of memory that may be longer.
   */
  values: Float64Array;
}

/** Maximum number of values in rows: half a megabyte, since every checkpoint of warmup contains them. */
const mostValues = 2 ** 16;
const fewestRows = 32;
/**
 * A metric with directions changes after this many new draws, after half as many as there are parameters, since it
 * costs their cube, and after a share of the earlier draws, since fewer would add little.
 */
const interval = 20;
const shareOfNew = 5;
const diagonalPart = 4;
/** Values of directions: every leapfrog step reads them all, and gradients of many parameters may be cheap. */
const mostInDirections = 2 ** 14;
const fewestDirections = 8;

export function createFisherSample(kind: Metric['kind'], dimension: number): FisherSample {
  const size = kind === 'diag' ? 2 * diagonalPart * dimension : 0;
  return { count: 0, youngerCount: 0, values: new Float64Array(size) };
}

/** The metric while only the gradient at the starting point is known. */
export function startFisherMetric(metric: Metric, gradient: Float64Array): void {
  if (metric.kind === 'unit') return;
  const variances = gradient.map(varianceOfGradient);
  if (metric.kind === 'diag') setInvMetric(metric, variances);
  else if (metric.kind === 'low-rank') setInvMetric(metric, variances.map(Math.sqrt));
  else setInvMetric(metric, denseOfLowRank(variances.map(Math.sqrt), gradient.length));
}

export function addPoint(sample: FisherSample, metric: Metric, { q, gradient }: PhasePoint): void {
  if (metric.kind === 'unit') return;
  sample.count += 1;
  sample.youngerCount += 1;
  const n = q.length;
  if (metric.kind === 'diag') {
    const { values, count, youngerCount } = sample;
    const younger = diagonalPart * n;
    addMoments(values, 0, count, q);
    addMoments(values, 2 * n, count, gradient);
    addMoments(values, younger, youngerCount, q);
    addMoments(values, younger + 2 * n, youngerCount, gradient);
    return;
  }
  const most = Math.max(fewestRows, quotient(mostValues, 2 * n));
  const dropped = Math.max(0, sample.count - most);
  sample.count -= dropped;
  sample.youngerCount = Math.min(sample.youngerCount, sample.count);
  const values = lengthened(sample.values.subarray(2 * n * dropped), 2 * n);
  values.set(q, values.length - 2 * n);
  values.set(gradient, values.length - n);
  sample.values = values;
}

/**
 * Integer quotient of positive integers. Uses `| 0`: if the division has no remainder for a thread's first model, V8
 * compiles it for integers, and discards that code with the first model that has one.
 */
const quotient = (dividend: number, divisor: number) => (dividend / divisor) | 0;

/** Makes room for `added` more values at the end, in the same memory if it suffices, otherwise in twice as much. */
function lengthened(values: Float64Array, added: number): Float64Array {
  const length = values.length + added;
  if (values.byteOffset + length * values.BYTES_PER_ELEMENT <= values.buffer.byteLength)
    return new Float64Array(values.buffer, values.byteOffset, length);
  const longer = new Float64Array(2 * length).subarray(0, length);
  longer.set(values);
  return longer;
}

/** One step of Welford's algorithm: n means from `at` on, followed by n sums of squared deviations. */
function addMoments(moments: Float64Array, at: number, count: number, x: Float64Array): void {
  const n = x.length;
  for (let i = 0; i < n; i++) {
    const delta = x[i] - moments[at + i];
    moments[at + i] += delta / count;
    moments[at + n + i] += delta * (x[i] - moments[at + i]);
  }
}

/** Drops the older sample: the younger one remains, and another begins. */
export function forgetOlder(sample: FisherSample, metric: Metric): void {
  if (metric.kind === 'unit') return;
  const { values } = sample;
  if (metric.kind === 'diag') {
    const half = values.length / 2;
    values.copyWithin(0, half);
    values.fill(0, half);
  } else if (sample.count > 0) {
    const row = values.length / sample.count;
    sample.values = values.slice(row * (sample.count - sample.youngerCount));
  }
  sample.count = sample.youngerCount;
  sample.youngerCount = 0;
}

/** Computes the metric from the older sample; returns whether it changed. */
export function learnMetric(sample: FisherSample, metric: Metric, isForced: boolean): boolean {
  const { count, values } = sample;
  if (metric.kind === 'unit' || count < 3) return false;
  if (metric.kind === 'diag') {
    const { invMetric } = metric;
    const n = invMetric.length;
    for (let i = 0; i < n; i++) {
      invMetric[i] = fisherVariance(
        values[n + i] / count,
        values[3 * n + i] / count,
        invMetric[i],
        count,
      );
    }
    return true;
  }
  const dimension = values.length / count / 2;
  if (!isForced && !isDue(count, Math.max(interval, Math.round(dimension / 2)))) return false;
  const isDense = metric.kind === 'dense';
  const { invMetric } = metric;
  const estimate = fisherLowRank(
    { dimension, rows: values, count },
    {
      cutoff: isDense ? 1 : 2,
      maxRank: isDense
        ? dimension
        : Math.max(fewestDirections, quotient(mostInDirections, dimension)),
      before: (i) => (isDense ? invMetric[i * dimension + i] : invMetric[i] ** 2),
    },
  );
  if (estimate === null) return false;
  setInvMetric(metric, isDense ? denseOfLowRank(estimate, dimension) : estimate);
  return true;
}

/** Whether the metric changes at `count` draws, of which at least `least` are new. */
function isDue(count: number, least: number): boolean {
  let due = least;
  while (due < count) due += Math.max(least, Math.round(due / shareOfNew));
  return due === count;
}

/** Nothing is stored once the metric is fixed. */
export function forgetAll(sample: FisherSample): void {
  sample.count = 0;
  sample.youngerCount = 0;
  sample.values = new Float64Array(0);
}
