/** Running mean and (co)variance (Welford 1962), and Stan's shrinkage of them into an inverse metric. */
import type { MetricKind } from '../hmc/metric.ts';

export interface Welford {
  readonly kind: MetricKind;
  count: number;
  readonly mean: Float64Array;
  /** Sums of squared deviations: D values for `diag`, D × D row-major for `dense`, none for `unit`. */
  readonly m2: Float64Array;
}

export function createWelford(kind: MetricKind, dimension: number): Welford {
  const sizes = { unit: 0, diag: dimension, dense: dimension * dimension, 'low-rank': 0 };
  return { kind, count: 0, mean: new Float64Array(dimension), m2: new Float64Array(sizes[kind]) };
}

export function restartWelford(state: Welford): void {
  state.count = 0;
  state.mean.fill(0);
  state.m2.fill(0);
}

export function addDraw(state: Welford, q: Float64Array): void {
  if (state.kind === 'unit') return;
  const { mean, m2 } = state;
  const n = q.length;
  state.count += 1;
  if (state.kind === 'diag') {
    for (let i = 0; i < n; i++) {
      const delta = q[i] - mean[i];
      mean[i] += delta / state.count;
      m2[i] += delta * (q[i] - mean[i]);
    }
    return;
  }
  // (q − new mean)(q − old mean)ᵀ = (1 − 1/count)(q − old mean)(q − old mean)ᵀ: symmetric, so half is computed
  const shrink = 1 - 1 / state.count;
  for (let i = 0; i < n; i++) {
    const scaled = shrink * (q[i] - mean[i]);
    for (let j = 0; j <= i; j++) {
      const product = scaled * (q[j] - mean[j]);
      m2[i * n + j] += product;
      if (j < i) m2[j * n + i] += product;
    }
  }
  for (let i = 0; i < n; i++) mean[i] += (q[i] - mean[i]) / state.count;
}

/**
 * Writes the sample (co)variance, shrunk as if five more draws had shown variance 1e-3, into `invMetric` (the layout
 * of `m2`). With fewer than two draws there is no variance: the current `invMetric` is shrunk instead, as in Stan.
 */
export function estimateInvMetric(state: Welford, invMetric: Float64Array): void {
  const { count, m2 } = state;
  const weight = count / (count + 5);
  const floor = 1e-3 * (5 / (count + 5));
  if (count > 1) for (let k = 0; k < m2.length; k++) invMetric[k] = m2[k] / (count - 1);
  const diagonal = state.kind === 'dense' ? state.mean.length + 1 : 1;
  for (let k = 0; k < m2.length; k++) {
    invMetric[k] = weight * invMetric[k] + (k % diagonal === 0 ? floor : 0);
  }
}
