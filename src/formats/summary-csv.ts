/** The summary table as CSV and as LaTeX. */
import { decimalsForMcse, plainNumber } from '../posterior/decimals.ts';
import type { SummaryRow } from '../posterior/summary.ts';
import { textCell } from './csv-cell.ts';

type Statistic = Exclude<keyof SummaryRow, 'variable' | 'non_finite' | 'constant'>;

/** A row in memory, or one from JSON, which has null for NaN. */
export type SummaryTableRow = Pick<SummaryRow, 'variable'> &
  Readonly<Record<Statistic, number | null>>;

/** Columns in order; headings for LaTeX. */
const columns: readonly (readonly [statistic: Statistic, heading: string])[] = [
  ['mean', 'mean'],
  ['mcse_mean', 'MCSE'],
  ['sd', 'sd'],
  ['median', 'median'],
  ['mad', 'MAD'],
  ['q5', 'q5'],
  ['q25', 'q25'],
  ['q75', 'q75'],
  ['q95', 'q95'],
  ['rhat', '$\\widehat{R}$ (rank)'],
  ['ess_bulk', 'ESS bulk'],
  ['ess_tail', 'ESS tail'],
];

/** All digits of every statistic, plain numbers, empty cells for undefined values; with a header row. */
export function summaryCsv(rows: readonly SummaryTableRow[]): string {
  const header = ['variable', ...columns.map(([statistic]) => statistic)].join(',');
  const lines = rows.map((row) => {
    const numbers = columns.map(([statistic]) => {
      const value = row[statistic];
      return value === null || Number.isNaN(value) ? '' : String(value);
    });
    return [textCell(row.variable), ...numbers].join(',');
  });
  return `${[header, ...lines].join('\n')}\n`;
}

/** A `tabular` with rules of the booktabs package; decimals reach the first digit of the MCSE. */
export function summaryLatex(rows: readonly SummaryTableRow[]): string {
  const lines = rows.map((row) => {
    const decimals = decimalsForMcse(row.mcse_mean, row.mean ?? 0);
    const cells = columns.map(([statistic]) =>
      latexNumber(row[statistic], decimalsOf(statistic, decimals)),
    );
    return `  \\texttt{${latexText(row.variable)}} & ${cells.join(' & ')} \\\\`;
  });
  return [
    `\\begin{tabular}{l${'r'.repeat(columns.length)}}`,
    '  \\toprule',
    `  variable & ${columns.map(([, heading]) => heading).join(' & ')} \\\\`,
    '  \\midrule',
    ...lines,
    '  \\bottomrule',
    '\\end{tabular}',
    '',
  ].join('\n');
}

function decimalsOf(statistic: Statistic, decimals: number): number {
  if (statistic === 'rhat') return 3;
  return statistic === 'ess_bulk' || statistic === 'ess_tail' ? 0 : decimals;
}

function latexNumber(value: number | null, decimals: number): string {
  const text = plainNumber(value, decimals);
  return text === '' ? '--' : `$${text.replace('Inf', '\\infty')}$`;
}

const latexSigns: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** A name from outside as LaTeX text: none of its characters acts as a command. */
export function latexText(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[\\~^#$%&_{}]/g, (sign) => latexSigns[sign] ?? `\\${sign}`);
}
