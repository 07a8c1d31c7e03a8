/** The summary as shown, as files: CSV in full precision, LaTeX as a plain tabular. */
import { textCell } from '../../../../formats/csv-cell.ts';
import { decimalsForMcse, plainNumber } from '../../../../posterior/decimals.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import type { SummaryColumn, TableRow } from './summary-columns.ts';

/** All digits; empty cells for what is undefined. */
export function tableAsCsv(rows: readonly TableRow[], columns: readonly SummaryColumn[]): string {
  const head = ['variable', ...columns.map((column) => nameOf(column))].join(',');
  const lines = rows.map((row) =>
    [textCell(row.variable), ...columns.map(({ key }) => row[key] ?? '')].join(','),
  );
  return `${[head, ...lines].join('\n')}\n`;
}

/** Names for programs to read: `mcse_mean`; computed ends by their definition: `q2.5`, `hdi90_low`. */
function nameOf({ key, title }: SummaryColumn): string {
  if (key !== 'low' && key !== 'high') return key;
  return title.toLowerCase().replace('hdi ', 'hdi').replaceAll(' ', '_');
}

/** A `tabular` that needs no package; decimals go up to the first digit of the MCSE. */
export function tableAsLatex(rows: readonly TableRow[], columns: readonly SummaryColumn[]): string {
  const lines = rows.map((row) => {
    const decimals = decimalsForMcse(row.mcse_mean, row.mean ?? 0);
    const cells = columns.map((column) =>
      latexNumber(row[column.key] ?? null, column.decimals === 'row' ? decimals : column.decimals),
    );
    return `  \\texttt{${latexText(shownName(row))}} & ${cells.join(' & ')} \\\\`;
  });
  const heads = columns.map(({ key, title }) =>
    key === 'rhat' ? '$\\widehat{R}$' : latexText(title),
  );
  return [
    `\\begin{tabular}{l${'r'.repeat(columns.length)}}`,
    '  \\hline',
    `  Variable & ${heads.join(' & ')} \\\\`,
    '  \\hline',
    ...lines,
    '  \\hline',
    '\\end{tabular}',
    '',
  ].join('\n');
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
function latexText(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[\\~^#$%&_{}]/g, (sign) => latexSigns[sign] ?? `\\${sign}`);
}
