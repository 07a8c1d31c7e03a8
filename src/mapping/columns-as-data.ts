/** A table as data without a mapping: each column is a list of numbers under its name, and `N` the number of rows. */
import { err, ok, type Result } from '../shared/result.ts';
import { numberOf } from './number-style.ts';
import { readTableText } from './table.ts';

/** `N` is not set if a column has that name. Cells `NA` are NaN; the error names a cell that is not a number. */
export function columnsAsData(text: string): Result<Record<string, unknown>, string> {
  const table = readTableText(text);
  if (!table.ok) return table;
  const { info, numRows, cells, rowNumber, style } = table.value;
  const columns = new Map<string, unknown>();
  for (const { name } of info) {
    const values: number[] = [];
    for (const [row, cell] of (cells(name) ?? []).entries()) {
      const isNamedMissing = /^nan?$/i.test(cell);
      const value = isNamedMissing ? Number.NaN : numberOf(cell, style);
      if (Number.isNaN(value) && !isNamedMissing)
        return err(
          `The data must be numbers: row ${rowNumber(row)} of column ${name} reads "${cell.slice(0, 40)}".`,
        );
      values.push(value);
    }
    columns.set(name, values);
  }
  if (!columns.has('N')) columns.set('N', numRows);
  return ok(Object.fromEntries(columns));
}
