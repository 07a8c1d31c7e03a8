/** The summary table: every statistic of a variable in one pass over one sort of its draws. */
import {
  alignChains,
  type ChainDraws,
  countNonFinite,
  type FlatChains,
  splitChains,
  type VariableDraws,
} from './draws.ts';
import { essOfChains, essOfIndicator } from './ess.ts';
import { createSortedScratch, sortDraws } from './order.ts';
import { MAD_SCALE, medianOfSorted, quantileOfSorted } from './quantile.ts';
import { foldOrder, rankScores } from './ranks.ts';
import { largerRhat, rhatAmong } from './rhat.ts';
import { createScratch } from './scratch.ts';
import { meanAndSd } from './sums.ts';

const alignedScratch = createScratch();
const scoreScratch = createScratch();
const sortedScratch = createSortedScratch();
const foldedScratch = createSortedScratch();

/** One row of the table. An undefined statistic is NaN (`null` after JSON). */
export interface SummaryRow {
  readonly variable: string;
  readonly mean: number;
  readonly mcse_mean: number;
  /** Divided by S − 1. */
  readonly sd: number;
  readonly median: number;
  /** Median absolute deviation, times 1.4826. */
  readonly mad: number;
  readonly q5: number;
  readonly q25: number;
  readonly q75: number;
  readonly q95: number;
  readonly rhat: number;
  readonly ess_bulk: number;
  readonly ess_tail: number;
  /** Number of draws that are NaN or infinite; if there are any, every statistic is NaN. */
  readonly non_finite: number;
  /** All draws are equal: R-hat, ESS and MCSE are undefined, which is not a fault. */
  readonly constant: boolean;
}

/** One row for each variable, in the order given. */
export function summarise(draws: Iterable<VariableDraws>): SummaryRow[] {
  const rows: SummaryRow[] = [];
  for (const { variable, chains, superchains } of draws)
    rows.push(summariseVariable(variable, chains, superchains));
  return rows;
}

/**
 * Summary of one variable. Chains without draws are left out and longer ones cut to the shortest, see `alignChains`.
 * One chain: R-hat from its two halves. With `superchains` R-hat is the nested one, of the same ranks.
 */
export function summariseVariable(
  variable: string,
  chains: ChainDraws,
  superchains?: readonly number[],
): SummaryRow {
  const non_finite = countNonFinite(chains);
  const aligned = alignChains(chains, alignedScratch);
  const { values } = aligned;
  if (non_finite > 0 || values.length === 0) return { ...undefinedRow, variable, non_finite };

  const inOrder = sortDraws(values, sortedScratch);
  const { sorted } = inOrder;
  const smallest = sorted[0];
  if (smallest === sorted[sorted.length - 1]) return constantRow(variable, smallest);

  const split = splitChains(aligned);
  const rhatOf = rhatAmong(superchains, chains);
  const place = placesInSplit(aligned, split);
  const scores: FlatChains = { ...split, values: scoreScratch(split.values.length) };
  rankScores(inOrder, scores.values, place);
  const essBulk = essOfChains(scores);
  const bulkRhat = rhatOf(scores);

  const median = medianOfSorted(sorted);
  const folded = foldOrder(inOrder, median, foldedScratch(values.length));
  rankScores(folded, scores.values, place);
  const foldedRhat = rhatOf(scores);

  const q5 = quantileOfSorted(sorted, 0.05);
  const q95 = quantileOfSorted(sorted, 0.95);
  const { mean, sd } = meanAndSd(values);
  return {
    variable,
    mean,
    mcse_mean: sd / Math.sqrt(essOfChains(split)),
    sd,
    median,
    mad: MAD_SCALE * medianOfSorted(folded.sorted),
    q5,
    q25: quantileOfSorted(sorted, 0.25),
    q75: quantileOfSorted(sorted, 0.75),
    q95,
    rhat: largerRhat(bulkRhat, foldedRhat),
    ess_bulk: essBulk,
    ess_tail: Math.min(
      essOfIndicator(split, inOrder, q5, place),
      essOfIndicator(split, inOrder, q95, place),
    ),
    non_finite: 0,
    constant: false,
  };
}

/** Position of a pooled draw among the split ones, −1 for a dropped middle draw; null if positions do not change. */
function placesInSplit(aligned: FlatChains, split: FlatChains): Int32Array | null {
  if (aligned.values.length === split.values.length) return null;
  const { numChains, length } = aligned;
  const half = split.length;
  const place = new Int32Array(aligned.values.length);
  for (let chain = 0; chain < numChains; chain++) {
    for (let i = 0; i < length; i++) {
      const at = i < half ? i : i - 1;
      place[chain * length + i] = i === half ? -1 : chain * 2 * half + at;
    }
  }
  return place;
}

const undefinedRow: Omit<SummaryRow, 'variable' | 'non_finite'> = {
  mean: NaN,
  mcse_mean: NaN,
  sd: NaN,
  median: NaN,
  mad: NaN,
  q5: NaN,
  q25: NaN,
  q75: NaN,
  q95: NaN,
  rhat: NaN,
  ess_bulk: NaN,
  ess_tail: NaN,
  constant: false,
};

function constantRow(variable: string, value: number): SummaryRow {
  return {
    ...undefinedRow,
    variable,
    mean: value,
    sd: 0,
    median: value,
    mad: 0,
    q5: value,
    q25: value,
    q75: value,
    q95: value,
    non_finite: 0,
    constant: true,
  };
}
