/** Rows of the summary table for tests; every member can be overridden. */
import type { SummaryRow } from '../../src/contract/draws.ts';

export function createRow(overrides: Partial<SummaryRow> = {}): SummaryRow {
  return {
    variable: 'mu',
    mean: 4.4,
    mcse_mean: 0.05,
    sd: 3.3,
    median: 4.3,
    mad: 3.2,
    q5: -1,
    q25: 2,
    q75: 6.5,
    q95: 9.8,
    rhat: 1.001,
    ess_bulk: 4000,
    ess_tail: 3000,
    non_finite: 0,
    constant: false,
    ...overrides,
  };
}
