/** The columns of the summary table: what each means, where it is defined, how it sorts. */
import type { SummaryRow } from '../../../../contract/draws.ts';
import { inKindOrder } from '../../../../posterior/variable-kinds.ts';
import { verdictLimits } from '../../../../posterior/verdict-limits.ts';
import type { HelpTopic } from '../../../ui/help-topics.ts';
import { missing } from '../../../ui/numbers.ts';
import type { SummaryColumnKey, SummarySort } from '../run/experiment-search.ts';
import { type IntervalChoice, intervalLabels } from '../run/interval-choice.ts';

/** A row of the table: the server's summary with what the page adds to it. */
export interface TableRow extends SummaryRow {
  /** Bulk ESS per second of sampling, with all chains' seconds added up; null if they are not reported. */
  readonly ess_rate?: number | null;
  /** Ends of an interval missing from the summary; null until the draws are loaded. */
  readonly low?: number | null;
  readonly high?: number | null;
}

export interface SummaryColumn {
  readonly key: SummaryColumnKey;
  readonly title: string;
  readonly meaning: string;
  /** The help topic that explains it. */
  readonly help?: HelpTopic;
  /** Where it is defined. */
  readonly source?: { readonly label: string; readonly href: string };
  /** Decimals: according to the row's MCSE, or fixed. */
  readonly decimals: 'row' | number;
}

const vehtari = {
  label: 'Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021',
  href: 'https://doi.org/10.1214/20-BA1221',
};
const type7 = { label: 'Hyndman & Fan 1996', href: 'https://doi.org/10.2307/2684934' };
const narrowest = { label: 'Hyndman 1996', href: 'https://doi.org/10.2307/2684423' };

const beforeInterval: readonly SummaryColumn[] = [
  { key: 'mean', title: 'Mean', meaning: 'Average of all draws.', decimals: 'row' },
  {
    key: 'mcse_mean',
    title: 'MCSE',
    meaning:
      'Monte Carlo standard error of the mean, sd / √ESS: how far the mean may be off because the number of draws is finite.',
    help: 'mcse',
    source: vehtari,
    decimals: 'row',
  },
  { key: 'sd', title: 'SD', meaning: 'Standard deviation of the draws.', decimals: 'row' },
  { key: 'median', title: 'Median', meaning: 'Half of the draws lie below it.', decimals: 'row' },
  {
    key: 'mad',
    title: 'MAD',
    meaning:
      'Median absolute deviation from the median, times 1.4826 so that it equals the sd of normal draws.',
    decimals: 'row',
  },
];

const afterInterval: readonly SummaryColumn[] = [
  {
    key: 'rhat',
    title: 'R-hat',
    meaning:
      'Rank-normalised split R-hat, nested where chains share a warmup: above 1.01 the chains disagree.',
    help: 'r-hat',
    source: vehtari,
    decimals: 3,
  },
  {
    key: 'ess_bulk',
    title: 'ESS bulk',
    meaning: 'Effective sample size in the bulk; it should be at least 100 per chain.',
    help: 'ess',
    source: vehtari,
    decimals: 0,
  },
  {
    key: 'ess_tail',
    title: 'ESS tail',
    meaning:
      'The smaller effective sample size of the 5 % and 95 % quantiles; it should be at least 100 per chain.',
    help: 'ess',
    source: vehtari,
    decimals: 0,
  },
  {
    key: 'ess_rate',
    title: 'ESS/s',
    meaning: 'Bulk ESS per second of sampling time, added over all chains.',
    decimals: 0,
  },
];

/** The statistics at the ends of an interval; `low` and `high` are computed from the draws. */
export const intervalEnds: Readonly<
  Record<IntervalChoice, readonly [SummaryColumnKey, SummaryColumnKey]>
> = {
  '90': ['q5', 'q95'],
  '50': ['q25', 'q75'],
  '95': ['low', 'high'],
  hdi90: ['low', 'high'],
  hdi95: ['low', 'high'],
};

/** All columns in their order, with the ends of this interval. */
export function columnsWith(interval: IntervalChoice): readonly SummaryColumn[] {
  const labels = intervalLabels[interval];
  const [low, high] = intervalEnds[interval];
  const common = {
    meaning: labels.meaning,
    source: interval.startsWith('hdi') ? narrowest : type7,
    decimals: 'row',
  } as const;
  return [
    ...beforeInterval,
    { ...common, key: low, title: labels.low },
    { ...common, key: high, title: labels.high },
    ...afterInterval,
  ];
}

/** The columns shown by default. */
export const summaryColumns = columnsWith('90');
/** Optional columns, by their name in the address. */
export const choosableColumns: readonly { key: string; title: string }[] = [
  ...beforeInterval,
  { key: 'interval', title: 'Interval' },
  ...afterInterval,
];
const usualColumns = choosableColumns.map(({ key }) => key).filter((key) => key !== 'mad');

/** Names of the columns to show: as chosen, otherwise the default ones. */
export function shownColumns(chosen: readonly string[]): readonly string[] {
  const known = choosableColumns.map(({ key }) => key).filter((key) => chosen.includes(key));
  return known.length === 0 ? usualColumns : known;
}

export type Tone = 'ok' | 'warn' | 'bad';

/** Statistics that show whether the chains have converged. */
const convergence = ['rhat', 'ess_bulk', 'ess_tail'] as const;

const isMissing = (value: number | null | undefined) => value === null || value === undefined;

/** Without R-hat and ESS if no row has them: an approximation has no chains to compare. */
export function columnsOf(
  columns: readonly SummaryColumn[],
  rows: readonly TableRow[],
): readonly SummaryColumn[] {
  const keys: readonly SummaryColumnKey[] = [...convergence, 'ess_rate'];
  return columns.filter(
    ({ key }) => !keys.includes(key) || rows.some((row) => !isMissing(row[key])),
  );
}

/** Tone of one statistic according to the verdict's limits. */
export function toneOf(
  key: SummaryColumnKey,
  value: number | null | undefined,
  numChains: number,
): Tone {
  if (value === null || value === undefined) return 'ok';
  if (key === 'rhat')
    return value > verdictLimits.rhat.bad ? 'bad' : value > verdictLimits.rhat.warn ? 'warn' : 'ok';
  if (key !== 'ess_bulk' && key !== 'ess_tail') return 'ok';
  const { warn, bad } = verdictLimits.essPerChain;
  return value < bad * numChains ? 'bad' : value < warn * numChains ? 'warn' : 'ok';
}

/** "ok", "R-hat fails", "3 fail", "constant", with the worst tone; a dash where nothing was checked, as of approximations. */
export function checksOf(
  row: SummaryRow,
  numChains: number,
): { tone: Tone | 'none'; label: string } {
  if (row.constant) return { tone: 'none', label: 'constant' };
  if (row.non_finite > 0) return { tone: 'bad', label: `${row.non_finite} not finite` };
  if (convergence.every((key) => isMissing(row[key]))) return { tone: 'none', label: missing };
  const checks = [
    { label: 'R-hat', tone: toneOf('rhat', row.rhat, numChains) },
    { label: 'ESS bulk', tone: toneOf('ess_bulk', row.ess_bulk, numChains) },
    { label: 'ESS tail', tone: toneOf('ess_tail', row.ess_tail, numChains) },
  ].filter((check) => check.tone !== 'ok');
  const [first] = checks;
  if (first === undefined) return { tone: 'ok', label: 'ok' };
  const tone = checks.some((check) => check.tone === 'bad') ? 'bad' : 'warn';
  return {
    tone,
    label: checks.length === 1 ? `${first.label} fails` : `${checks.length} fail`,
  };
}

/** `model`: parameters first, `lp__` last, otherwise in the program's order; `worst`: the largest R-hat first; undefined values come last. */
export function sortRows<R extends TableRow>(rows: readonly R[], sort: SummarySort): readonly R[] {
  if (sort === 'model') return inKindOrder(rows);
  const descending = sort === 'worst' || sort.startsWith('-');
  const key = (sort === 'worst' ? 'rhat' : sort.replace(/^-/, '')) as SummaryColumnKey;
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [a[key] ?? null, b[key] ?? null];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * (x - y);
  });
}
