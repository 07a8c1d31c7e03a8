/**
 * Whether predicted probabilities of a binary outcome are right: the CORP reliability diagram, which needs no bins.
 * Source: Dimitriadis, Gneiting & Jordan 2021, PNAS 118(8), e2016191118.
 */
import { quantileOfSorted } from '../quantile.ts';
import { createRandom } from '../seeded-random.ts';
import type { Predictive } from './replications.ts';

export interface Calibration {
  /** Ascending: the distinct predicted probabilities, and how often the outcome is 1 for each of them. */
  readonly predicted: Float64Array;
  readonly calibrated: Float64Array;
  /** Observations with that prediction. */
  readonly counts: Float64Array;
  /** Band that contains the curve with 90 % at each point if the predictions are right. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Brier score = miscalibration − discrimination + uncertainty (eq. 5). */
  readonly brier: number;
  readonly miscalibration: number;
  readonly discrimination: number;
  readonly uncertainty: number;
}

const simulations = 1000;

/** The probability predicted for each observation is the mean of its replicated draws. */
export function calibrationOf({ y, replicated }: Predictive): Calibration {
  const predictions = Float64Array.from(
    replicated,
    (draws) => draws.reduce((sum, value) => sum + value, 0) / draws.length,
  );
  return calibrate(y, predictions);
}

/** `y`: 0 or 1; `predictions`: probabilities. */
export function calibrate(y: Float64Array, predictions: Float64Array): Calibration {
  const order = Array.from(predictions, (_, i) => i).sort(
    (a, b) => predictions[a] - predictions[b],
  );
  const predicted: number[] = [];
  const counts: number[] = [];
  const sums: number[] = [];
  for (const i of order) {
    const last = predicted.length - 1;
    // means of the same numbers in another order differ by rounding
    if (predictions[i] - predicted[last] < 1e-12) {
      counts[last]++;
      sums[last] += y[i];
    } else {
      predicted.push(predictions[i]);
      counts.push(1);
      sums.push(y[i]);
    }
  }
  const calibrated = isotonic(
    sums.map((sum, k) => sum / counts[k]),
    counts,
  );
  const band = consistencyBand(predicted, counts);
  const n = y.length;
  const base = y.reduce((sum, value) => sum + value, 0) / n;
  // for an outcome that occurs `sums` of `counts` times if `x` was predicted
  const score = (at: (k: number) => number) =>
    counts.reduce(
      (total, count, k) => total + sums[k] * (1 - at(k)) ** 2 + (count - sums[k]) * at(k) ** 2,
      0,
    ) / n;
  const brier = score((k) => predicted[k]);
  const recalibrated = score((k) => calibrated[k]);
  const uncertainty = score(() => base);
  return {
    predicted: Float64Array.from(predicted),
    calibrated,
    counts: Float64Array.from(counts),
    ...band,
    brier,
    miscalibration: brier - recalibrated,
    discrimination: uncertainty - recalibrated,
    uncertainty,
  };
}

/**
 * Increasing values nearest to the given ones by weighted least squares, by pooling adjacent violators.
 * Source: Ayer et al. 1955, Annals of Mathematical Statistics 26(4).
 */
export function isotonic(values: ArrayLike<number>, weights: ArrayLike<number>): Float64Array {
  const means: number[] = [];
  const totals: number[] = [];
  const sizes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    let [mean, total, size] = [values[i], weights[i], 1];
    while (means[means.length - 1] >= mean) {
      const other = totals[totals.length - 1];
      mean = ((means.pop() ?? 0) * other + mean * total) / (other + total);
      total += totals.pop() ?? 0;
      size += sizes.pop() ?? 0;
    }
    means.push(mean);
    totals.push(total);
    sizes.push(size);
  }
  const fitted = new Float64Array(values.length);
  let at = 0;
  for (let block = 0; block < means.length; block++)
    for (let k = 0; k < sizes[block]; k++) fitted[at++] = means[block];
  return fitted;
}

/** Consistency band: outcomes drawn from the predictions themselves, from a fixed seed, each calibrated again. */
function consistencyBand(predicted: readonly number[], counts: readonly number[]) {
  const random = createRandom();
  const curves = predicted.map(() => new Float64Array(simulations));
  const shares = new Float64Array(predicted.length);
  for (let run = 0; run < simulations; run++) {
    for (let k = 0; k < predicted.length; k++) {
      let ones = 0;
      for (let i = 0; i < counts[k]; i++) if (random() < predicted[k]) ones++;
      shares[k] = ones / counts[k];
    }
    const curve = isotonic(shares, counts);
    for (let k = 0; k < curve.length; k++) curves[k][run] = curve[k];
  }
  for (const curve of curves) curve.sort();
  return {
    low: Float64Array.from(curves, (curve) => quantileOfSorted(curve, 0.05)),
    high: Float64Array.from(curves, (curve) => quantileOfSorted(curve, 0.95)),
  };
}
