/** The columns of the summary table: what each says, where it is defined, how it sorts. */
import type { SummaryRow } from '../../../contract/draws.ts';
import { verdictLimits } from '../../../posterior/verdict.ts';

export type SummaryColumnKey =
  | 'mean'
  | 'mcse_mean'
  | 'sd'
  | 'median'
  | 'q5'
  | 'q95'
  | 'rhat'
  | 'ess_bulk'
  | 'ess_tail';

export interface SummaryColumn {
  readonly key: SummaryColumnKey;
  readonly title: string;
  readonly meaning: string;
  /** Decimals: as the row's MCSE deserves, or fixed. */
  readonly decimals: 'row' | number;
}

export const summaryColumns: readonly SummaryColumn[] = [
  { key: 'mean', title: 'Mean', meaning: 'Average of all draws.', decimals: 'row' },
  {
    key: 'mcse_mean',
    title: 'MCSE',
    meaning: 'Monte Carlo standard error of the mean: sd / √ESS (Vehtari et al. 2021).',
    decimals: 'row',
  },
  { key: 'sd', title: 'SD', meaning: 'Standard deviation of the draws.', decimals: 'row' },
  { key: 'median', title: 'Median', meaning: 'Half of the draws are below.', decimals: 'row' },
  { key: 'q5', title: 'q5', meaning: '5 % of the draws are below (type 7).', decimals: 'row' },
  { key: 'q95', title: 'q95', meaning: '95 % of the draws are below (type 7).', decimals: 'row' },
  {
    key: 'rhat',
    title: 'R-hat',
    meaning: 'Rank-normalised split R-hat (Vehtari et al. 2021): above 1.01 the chains disagree.',
    decimals: 3,
  },
  {
    key: 'ess_bulk',
    title: 'ESS bulk',
    meaning: 'Effective sample size in the bulk (Vehtari et al. 2021): at least 100 a chain.',
    decimals: 0,
  },
  {
    key: 'ess_tail',
    title: 'ESS tail',
    meaning:
      'The smaller effective sample size of the 5 % and 95 % quantiles: at least 100 a chain.',
    decimals: 0,
  },
];

export type Tone = 'ok' | 'warn' | 'bad';

/** Tone of one statistic by the limits of the verdict. */
export function toneOf(key: SummaryColumnKey, value: number | null, numChains: number): Tone {
  if (value === null) return 'ok';
  if (key === 'rhat')
    return value > verdictLimits.rhat.bad ? 'bad' : value > verdictLimits.rhat.warn ? 'warn' : 'ok';
  if (key !== 'ess_bulk' && key !== 'ess_tail') return 'ok';
  const { warn, bad } = verdictLimits.essPerChain;
  return value < bad * numChains ? 'bad' : value < warn * numChains ? 'warn' : 'ok';
}

/** "ok", "R-hat fails", "3 fail", "constant", with the worst tone. */
export function checksOf(
  row: SummaryRow,
  numChains: number,
): { tone: Tone | 'none'; words: string } {
  if (row.constant) return { tone: 'none', words: 'constant' };
  if (row.non_finite > 0) return { tone: 'bad', words: `${row.non_finite} not finite` };
  const checks = [
    { words: 'R-hat', tone: toneOf('rhat', row.rhat, numChains) },
    { words: 'ESS bulk', tone: toneOf('ess_bulk', row.ess_bulk, numChains) },
    { words: 'ESS tail', tone: toneOf('ess_tail', row.ess_tail, numChains) },
  ].filter((check) => check.tone !== 'ok');
  if (checks.length === 0) return { tone: 'ok', words: 'ok' };
  const tone = checks.some((check) => check.tone === 'bad') ? 'bad' : 'warn';
  return {
    tone,
    words: checks.length === 1 ? `${checks[0].words} fails` : `${checks.length} fail`,
  };
}

export type SummarySort = SummaryColumnKey | `-${SummaryColumnKey}` | 'model' | 'worst';

/** `model` keeps the program's order, with `lp__` last; `worst` is the largest R-hat first; undefined values come last. */
export function sortRows(rows: readonly SummaryRow[], sort: SummarySort): readonly SummaryRow[] {
  if (sort === 'model')
    return [
      ...rows.filter((row) => row.variable !== 'lp__'),
      ...rows.filter((row) => row.variable === 'lp__'),
    ];
  const descending = sort === 'worst' || sort.startsWith('-');
  const key = (sort === 'worst' ? 'rhat' : sort.replace(/^-/, '')) as SummaryColumnKey;
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [a[key], b[key]];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * (x - y);
  });
}
