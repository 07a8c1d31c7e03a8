/** Pareto smoothed importance sampling: the largest weights are replaced by expected values from the tail's fit. */
import { sortedOrder } from './order.ts';
import { fitPareto, leastTail, paretoQuantile, tailLength } from './pareto-fit.ts';

export interface SmoothedWeights {
  /** Natural log, normalised: the weights sum to 1; in the order of the ratios. */
  readonly logWeights: Float64Array;
  /** Pareto k of the tail; ∞ if the tail is too short or does not vary. */
  readonly k: number;
}

/**
 * Smooths importance ratios (natural log, one per draw); `relativeEfficiency` = ESS ÷ draws of the ratios, 1 for
 * independent draws. NaN in the ratios makes k NaN and the weights equal.
 * Source: Vehtari, Simpson, Gelman, Yao & Gabry 2024, JMLR 25(72), section 2.
 */
export function psis(logRatios: Float64Array, relativeEfficiency = 1): SmoothedWeights {
  const count = logRatios.length;
  let largest = -Infinity;
  // NaN stays
  for (const ratio of logRatios) largest = Math.max(largest, ratio);
  if (!Number.isFinite(largest))
    return { logWeights: new Float64Array(count).fill(-Math.log(count)), k: NaN };
  const logWeights = logRatios.map((ratio) => ratio - largest);
  const efficiency = relativeEfficiency > 0 ? relativeEfficiency : 1;
  const length = tailLength(count, efficiency);
  const k = length < leastTail ? Infinity : smoothTail(logWeights, length);
  // No smoothed weight exceeds the largest raw one, which is 0 here.
  let sum = 0;
  for (let i = 0; i < count; i++) {
    logWeights[i] = Math.min(0, logWeights[i]);
    sum += Math.exp(logWeights[i]);
  }
  const total = Math.log(sum);
  return { logWeights: logWeights.map((weight) => weight - total), k };
}

/** Replaces the `length` largest weights in place by quantiles of the fit, in their order; returns k. */
function smoothTail(logWeights: Float64Array, length: number): number {
  const order = sortedOrder(logWeights);
  const from = order.length - length;
  const lowest = logWeights[order[from]];
  const cutoff = Math.exp(logWeights[order[from - 1]]);
  if (lowest === logWeights[order[order.length - 1]]) return Infinity;
  const exceedances = Float64Array.from({ length }, (_, i) =>
    Math.max(0, Math.exp(logWeights[order[from + i]]) - cutoff),
  );
  const fit = fitPareto(exceedances);
  if (!Number.isFinite(fit.k)) return fit.k;
  for (let i = 0; i < length; i++)
    logWeights[order[from + i]] = Math.log(paretoQuantile((i + 0.5) / length, fit) + cutoff);
  return fit.k;
}
