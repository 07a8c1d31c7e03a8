/** What a report shows first: the variables that need attention, worst first, with their faults. */
import type { SummaryRow } from '../../contract/draws.ts';
import { verdictLimits } from '../../posterior/verdict-limits.ts';

/** Faults of one variable as text; empty when there are none. A constant has none. */
export function faultsOf(row: SummaryRow, numChains: number): string[] {
  const least = verdictLimits.essPerChain.warn * numChains;
  const faults: string[] = [];
  if (row.non_finite > 0) faults.push(`${row.non_finite} not finite`);
  if (row.rhat !== null && row.rhat > verdictLimits.rhat.warn) faults.push('R-hat high');
  if (row.ess_bulk !== null && row.ess_bulk < least) faults.push('bulk ESS low');
  if (row.ess_tail !== null && row.ess_tail < least) faults.push('tail ESS low');
  return faults;
}

/** Variables with non-finite draws first, then by R-hat and ESS against their limits; constants last; otherwise run order. */
export function worstFirst(rows: readonly SummaryRow[], numChains: number): SummaryRow[] {
  const badness = new Map(rows.map((row) => [row, badnessOf(row, numChains)]));
  return rows.toSorted((a, b) => (badness.get(b) ?? 0) - (badness.get(a) ?? 0));
}

/** Greater than 1 if a limit is broken, otherwise 0. Small differences between good variables do not reorder them. */
function badnessOf(row: SummaryRow, numChains: number): number {
  if (row.non_finite > 0) return Number.POSITIVE_INFINITY;
  if (row.constant) return -1;
  const least = verdictLimits.essPerChain.warn * numChains;
  const ess = Math.min(row.ess_bulk ?? Infinity, row.ess_tail ?? Infinity);
  const worst = Math.max(((row.rhat ?? 1) - 1) / (verdictLimits.rhat.warn - 1), least / ess);
  return worst > 1 ? worst : 0;
}
