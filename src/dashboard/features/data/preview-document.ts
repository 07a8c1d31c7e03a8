/** The content of a data object, read once and queried in pieces: tables by window, a tree by branch. No DOM. */
import { type ParsedData, parseDataJson, type RoundedInteger } from '../../../formats/data-json.ts';
import { withoutMeta } from '../../../formats/data-meta.ts';
import { type DelimitedText, readDelimited } from '../../../formats/delimited-text.ts';
import { describeData, type EntryDescription } from '../../../formats/describe-data.ts';
import { readRDump } from '../../../formats/r-dump.ts';
import { isRDump } from '../../../formats/r-dump-mark.ts';
import { formatCount } from '../../../shared/readable-numbers.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type Branch, type BranchQuestion, branchOf } from '../../ui/json-branch.ts';

export interface PreviewSummary {
  /** `dump`: R assignments. */
  readonly kind: 'json' | 'dump' | 'csv' | 'text';
  /** Why its values could not be read, as a sentence; null if they could, or if it has none. */
  readonly problem: string | null;
  /** Which integers a double cannot represent, as a sentence; null: every value is exact. */
  readonly rounding: string | null;
  /** Members of a JSON object, or the variables of a dump. */
  readonly entries: readonly EntryDescription[];
  /** Names that {@link PreviewDocument.table} accepts; `''` is the entire file. */
  readonly tables: readonly string[];
  /** The beginning of the text. */
  readonly head: string;
  readonly isCut: boolean;
}

export interface TableInfo {
  readonly numRows: number;
  readonly columns: readonly string[];
}

/** Rows `[fromRow, toRow)` and columns `[fromColumn, toColumn)` of a table. */
export interface TableWindow {
  readonly name: string;
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

/** Most characters of raw text shown. */
const shownCharacters = 20_000;
/** Most characters of a cell shown. */
const shownCell = 500;
/** Number of rows whose keys name the columns of a list of objects. */
const sampledRows = 100;

type Grid = TableInfo & { readonly cell: (row: number, column: number) => string };

export class PreviewDocument {
  readonly summary: PreviewSummary;
  private readonly value: unknown;
  private readonly csv: DelimitedText | null;
  private readonly grids = new Map<string, Grid | null>();

  constructor(text: string, fmt: string) {
    const kind = fmt !== 'json' && isRDump(text) ? 'dump' : fmt;
    const read = kind === 'json' || kind === 'dump' ? readValues(kind, text) : null;
    this.value = read?.ok ? read.value.value : undefined;
    this.csv = kind === 'csv' ? readDelimited(text) : null;
    const entries = describeData(this.value);
    const names = this.csv !== null ? [''] : ['', ...entries.map(({ name }) => name)];
    this.summary = {
      kind: read?.ok ? (kind as 'json' | 'dump') : this.csv !== null ? 'csv' : 'text',
      problem: read?.ok === false ? read.error : null,
      rounding: read?.ok ? roundingText(read.value.rounded) : null,
      entries,
      tables: names.filter((name) => this.table(name) !== null),
      head: text.slice(0, shownCharacters),
      isCut: text.length > shownCharacters,
    };
  }

  /** Null: not a table. */
  table(name: string): TableInfo | null {
    const grid = this.grid(name);
    return grid === null ? null : { numRows: grid.numRows, columns: grid.columns };
  }

  cells({ name, rows, columns }: TableWindow): string[][] {
    const grid = this.grid(name);
    if (grid === null) return [];
    const result: string[][] = [];
    const [lastRow, lastColumn] = [
      Math.min(rows[1], grid.numRows),
      Math.min(columns[1], grid.columns.length),
    ];
    for (let row = rows[0]; row < lastRow; row++) {
      const cells: string[] = [];
      for (let column = columns[0]; column < lastColumn; column++)
        cells.push(grid.cell(row, column));
      result.push(cells);
    }
    return result;
  }

  branch(question: BranchQuestion): Branch {
    return branchOf(this.value, question);
  }

  private grid(name: string): Grid | null {
    let grid = this.grids.get(name);
    if (grid === undefined) {
      grid = this.csv === null ? gridOf(this.valueOf(name)) : gridOfCsv(this.csv);
      this.grids.set(name, grid);
    }
    return grid;
  }

  private valueOf(name: string): unknown {
    if (name === '') return this.value;
    return (this.value as Record<string, unknown> | undefined)?.[name];
  }
}

function readValues(kind: 'json' | 'dump', text: string): Result<ParsedData, string> {
  if (kind === 'json') {
    const read = parseDataJson(text);
    return read.ok ? read : err(`This is not valid JSON: ${read.error.message}`);
  }
  const read = readRDump(text);
  if (read.ok) return ok({ value: withoutMeta(read.value), rounded: [] });
  const { message, line, column } = read.error;
  return err(`This R dump cannot be read: ${message} (line ${line}, column ${column}).`);
}

function roundingText(rounded: readonly RoundedInteger[]): string | null {
  const [first] = rounded;
  if (first === undefined) return null;
  const others = rounded.length === 1 ? '' : ` and ${formatCount(rounded.length - 1)} more`;
  return `Rounded, since a number keeps about 16 digits: ${first.text} in line ${first.line}${others}.`;
}

function gridOfCsv({ columns, numRows, row }: DelimitedText): Grid {
  // A window requests a row cell by cell.
  let [lastIndex, last] = [-1, [] as readonly string[]];
  const cell = (index: number, column: number) => {
    if (index !== lastIndex) [lastIndex, last] = [index, row(index)];
    return last[column] ?? '';
  };
  return { columns, numRows, cell };
}

/** A list of scalars, of lists of scalars of the same kind, or of objects; null for anything else. */
function gridOf(value: unknown): Grid | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const rows = value as unknown[];
  const numRows = rows.length;
  if (rows.every(isScalar))
    return { numRows, columns: ['value'], cell: (row) => cellText(rows[row]) };
  if (rows.every((row) => Array.isArray(row) && row.every(isScalar))) {
    const lists = rows as unknown[][];
    const width = lists.reduce((most, row) => Math.max(most, row.length), 0);
    const columns = Array.from({ length: width }, (_, i) => String(i + 1));
    return { numRows, columns, cell: (row, column) => cellText(lists[row]?.[column]) };
  }
  if (!rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    return null;
  const records = rows as Record<string, unknown>[];
  const columns = [...new Set(records.slice(0, sampledRows).flatMap((row) => Object.keys(row)))];
  const cell = (row: number, column: number) => {
    const name = columns[column];
    return cellText(name === undefined ? undefined : records[row]?.[name]);
  };
  return { numRows, columns, cell };
}

const isScalar = (value: unknown) => value === null || typeof value !== 'object';

function cellText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value).slice(0, shownCell);
  return typeof value === 'string' ? value.slice(0, shownCell) : String(value as number);
}
