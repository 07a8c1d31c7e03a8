/** Euclidean metrics, which turn a momentum into a velocity. `invMetric` estimates the posterior (co)variance. */

import type { Rng } from '../../math/random/rng.ts';
import { invariant } from '../../shared/invariant.ts';
import { type LowRankValues, momentumOfLowRank, multiplyLowRank } from './low-rank.ts';

export type MetricKind = 'unit' | 'diag' | 'dense' | 'low-rank';

export type Metric =
  | { readonly kind: 'unit' }
  /** D variances. */
  | { readonly kind: 'diag'; readonly invMetric: Float64Array }
  /** D × D covariance, row-major, and its lower Cholesky factor in the same layout. */
  | { readonly kind: 'dense'; readonly invMetric: Float64Array; readonly cholesky: Float64Array }
  /** Of any rank, which changes with its values. */
  | { readonly kind: 'low-rank'; invMetric: LowRankValues };

/**
 * The same kind as a string of this program. A string from a message is a copy that V8 has not put into its table of
 * strings, and code optimised concurrently with the running thread may then find it equal to none of the literals: a
 * diagonal metric was multiplied as a dense one, in about one chain of fifty on a busy machine (Node 20, V8 11.3).
 */
export function ownMetricKind(kind: MetricKind): MetricKind {
  if (kind === 'unit') return 'unit';
  if (kind === 'low-rank') return 'low-rank';
  return kind === 'diag' ? 'diag' : 'dense';
}

/** A class, since V8 discards the code compiled for a literal's first object when it makes the second. */
class VectorMetric<Kind extends 'diag' | 'low-rank'> {
  constructor(
    readonly kind: Kind,
    public invMetric: Float64Array,
  ) {}
}

/** The identity. */
export function createMetric(kind: MetricKind, dimension: number): Metric {
  if (kind === 'unit') return { kind };
  if (kind !== 'dense')
    return new VectorMetric(kind, new Float64Array(dimension).fill(1)) as Metric;
  const invMetric = new Float64Array(dimension * dimension);
  for (let i = 0; i < dimension; i++) invMetric[i * dimension + i] = 1;
  return { kind, invMetric, cholesky: invMetric.slice() };
}

/**
 * Puts new values into the metric: D variances, D × D covariances row-major, or a low-rank metric's; `unit` takes none.
 */
export function setInvMetric(metric: Metric, values: Float64Array): void {
  if (metric.kind === 'unit') return;
  if (metric.kind === 'low-rank') {
    metric.invMetric = values.slice();
    return;
  }
  invariant(values.length === metric.invMetric.length, 'metric of another dimension');
  metric.invMetric.set(values);
  if (metric.kind === 'dense') factorise(metric.invMetric, metric.cholesky);
}

/** `out` = M⁻¹ p. */
export function multiplyInvMetric(metric: Metric, p: Float64Array, out: Float64Array): void {
  const n = p.length;
  if (metric.kind === 'unit') {
    out.set(p);
  } else if (metric.kind === 'diag') {
    const { invMetric } = metric;
    for (let i = 0; i < n; i++) out[i] = invMetric[i] * p[i];
  } else if (metric.kind === 'low-rank') {
    multiplyLowRank(metric.invMetric, p, out);
  } else {
    const { invMetric } = metric;
    for (let i = 0, k = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++, k++) sum += invMetric[k] * p[j];
      out[i] = sum;
    }
  }
}

/** Draws p ~ normal(0, M). */
export function sampleMomentum(metric: Metric, rng: Rng, p: Float64Array): void {
  const n = p.length;
  for (let i = 0; i < n; i++) p[i] = rng.normal();
  if (metric.kind === 'diag') {
    const { invMetric } = metric;
    for (let i = 0; i < n; i++) p[i] /= Math.sqrt(invMetric[i]);
  } else if (metric.kind === 'low-rank') {
    momentumOfLowRank(metric.invMetric, p);
  } else if (metric.kind === 'dense') {
    // With M⁻¹ = L Lᵀ, the solution of Lᵀ p = u has covariance M.
    const { cholesky } = metric;
    for (let i = n - 1; i >= 0; i--) {
      let sum = p[i];
      for (let j = i + 1; j < n; j++) sum -= cholesky[j * n + i] * p[j];
      p[i] = sum / cholesky[i * n + i];
    }
  }
}

/** Lower Cholesky factor of a symmetric positive definite matrix, both row-major. */
function factorise(matrix: Float64Array, lower: Float64Array): void {
  const n = Math.round(Math.sqrt(matrix.length));
  lower.fill(0);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = matrix[i * n + j];
      for (let k = 0; k < j; k++) sum -= lower[i * n + k] * lower[j * n + k];
      if (i === j) {
        invariant(sum > 0, 'a regularised covariance is positive definite');
        lower[j * n + j] = Math.sqrt(sum);
      } else {
        lower[i * n + j] = sum / lower[j * n + j];
      }
    }
  }
}
