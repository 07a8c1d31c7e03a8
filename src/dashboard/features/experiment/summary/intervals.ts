/** Intervals missing from the server's summary, computed from the draws: quantiles and highest density. */
import { hdiOfSorted } from '../../../../posterior/hdi.ts';
import { quantileOfSorted } from '../../../../posterior/quantile.ts';
import type { IntervalChoice } from '../run/interval-choice.ts';

export interface IntervalQuestion {
  readonly choice: IntervalChoice;
  /** Draws of each variable, pooled over the chains. */
  readonly draws: readonly Float64Array[];
}

export type IntervalEnds = readonly [low: number | null, high: number | null];

/** Ends of the interval of each variable; null if a draw is not finite. Sorts the draws in place. */
export function intervalsOf({ choice, draws }: IntervalQuestion): IntervalEnds[] {
  return draws.map((values) => {
    const sorted = values.sort();
    const [least = Number.NaN] = sorted;
    if (!Number.isFinite(least + (sorted.at(-1) ?? Number.NaN))) return [null, null];
    if (choice === 'hdi90' || choice === 'hdi95') {
      const { low, high } = hdiOfSorted(sorted, choice === 'hdi90' ? 0.9 : 0.95);
      return [low, high];
    }
    const outside = { '90': 0.1, '50': 0.5, '95': 0.05 }[choice];
    return [quantileOfSorted(sorted, outside / 2), quantileOfSorted(sorted, 1 - outside / 2)];
  });
}
