/** A figure's table as CSV: plain numbers in full precision, names guarded against spreadsheets' formulas. */
import type { FigureTable } from './figure.ts';

/** RFC 4180 with LF line ends; missing numbers are empty cells. */
export function tableCsv({ columns, rows }: FigureTable): string {
  const head = columns.map(({ name, unit }) =>
    textCell(unit === undefined ? name : `${name} (${unit})`),
  );
  const lines = rows.map((row) =>
    row
      .map((value) => (typeof value === 'number' ? String(value) : textCell(value ?? '')))
      .join(','),
  );
  return `${[head.join(','), ...lines].join('\n')}\n`;
}

/** Text that a spreadsheet would run as a formula gets an apostrophe in front. */
function textCell(text: string): string {
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
