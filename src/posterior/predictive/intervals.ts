/** Predictive intervals of each observation, and how many observations lie inside theirs. */
import { quantileOfSorted } from '../quantile.ts';
import type { Predictive } from './replications.ts';

export interface PredictiveIntervals {
  /** One entry per observation; NaN if a draw is NaN. */
  readonly low90: Float64Array;
  readonly low50: Float64Array;
  readonly median: Float64Array;
  readonly high50: Float64Array;
  readonly high90: Float64Array;
  /** Share of observations within their central interval, endpoints included. */
  readonly coverage50: number;
  readonly coverage90: number;
}

/** Central intervals from quantiles (type 7 of Hyndman & Fan 1996). */
export function predictiveIntervals({ y, replicated }: Predictive): PredictiveIntervals {
  const n = y.length;
  const make = () => new Float64Array(n);
  const [low90, low50, median, high50, high90] = [make(), make(), make(), make(), make()];
  let in50 = 0;
  let in90 = 0;
  for (let i = 0; i < n; i++) {
    const sorted = replicated[i].slice().sort();
    // typed arrays sort NaN to the end
    const isWhole = !Number.isNaN(sorted[sorted.length - 1]);
    const at = (p: number) => (isWhole ? quantileOfSorted(sorted, p) : NaN);
    low90[i] = at(0.05);
    low50[i] = at(0.25);
    median[i] = at(0.5);
    high50[i] = at(0.75);
    high90[i] = at(0.95);
    if (y[i] >= low50[i] && y[i] <= high50[i]) in50++;
    if (y[i] >= low90[i] && y[i] <= high90[i]) in90++;
  }
  return { low90, low50, median, high50, high90, coverage50: in50 / n, coverage90: in90 / n };
}
