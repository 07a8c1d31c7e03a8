/** A table as the mapper sees it: its columns with kind, range, levels and missing values. */
import type { ColumnReading, TableReading } from '../formats/data-meta.ts';
import { decodeText } from '../formats/decode-text.ts';
import {
  type DelimitedText,
  type NamedRows,
  namedRows,
  readDelimited,
} from '../formats/delimited-text.ts';
import { isArchive, isCompound } from '../formats/workbook-mark.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { cellNumber, type GuessedReading, guessReading } from './cell-reading.ts';
import { type FileStyle, isMissing, type NumberStyle, numberOf, styleOf } from './number-style.ts';

/** `flag`: texts such as TRUE and FALSE. `number` may have some texts among its numbers, `date` some among its dates. */
export type ColumnKind = 'integer' | 'number' | 'date' | 'flag' | 'text' | 'empty';

export interface ColumnInfo extends Pick<GuessedReading, 'symbols' | 'isOrderOpen'> {
  readonly name: string;
  readonly kind: ColumnKind;
  /** How its cells become numbers; null: plain numbers, or texts. */
  readonly reading: ColumnReading | null;
  /** What the file itself suggests. */
  readonly guessed: ColumnReading | null;
  /** Over finite numbers, as read; null: none. */
  readonly min: number | null;
  readonly max: number | null;
  /** All its numbers are integers. */
  readonly isWhole: boolean;
  /** Distinct texts, without missing ones; counted up to `mostLevels`. */
  readonly numLevels: number;
  readonly numMissing: number;
  /** Row numbers of the first of them. */
  readonly missingRows: readonly number[];
}

export interface Table extends FileStyle {
  readonly info: readonly ColumnInfo[];
  readonly numRows: number;
  readonly encoding: string;
  /** Empty: no character separates the cells. */
  readonly delimiter: string;
  /** Sheets of a workbook; empty: the file is one table. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  /** Deviations from plain numbers and texts, to be stored with a mapping of these columns; undefined: none. */
  readonly reading: (columns: ReadonlySet<string>) => TableReading | undefined;
  /** The same cells read differently. The sheet is chosen when the file is opened. */
  readonly read: (reading: TableReading | undefined) => Table;
  /** A row's number in a spreadsheet, from 1 with the header. */
  readonly rowNumber: (row: number) => number;
  /** Cells of a column by name; undefined: there is no such column. */
  readonly cells: (column: string) => readonly string[] | undefined;
}

/** More distinct texts than this are not levels of a factor. */
const mostLevels = 20_000;
const shownRows = 5;
/** Maximum number of cells: what a browser handles without trouble. */
const mostCells = 20_000_000;

/** Reads CSV, TSV, a workbook or other spreadsheet exports. The error is a sentence. Never throws. */
export async function readTable(
  bytes: Uint8Array,
  reading?: TableReading,
): Promise<Result<Table, string>> {
  if (isArchive(bytes)) return readSheetTable(bytes, reading);
  const decoded = decodeText(bytes);
  if (decoded !== null) return readTableText(decoded.text, decoded.encoding, reading);
  return err(
    isCompound(bytes)
      ? 'This workbook is in an old format (.xls) or has a password. Save it as .xlsx without a password, or as CSV.'
      : 'The file is not text. Save the table as CSV.',
  );
}

async function readSheetTable(
  bytes: Uint8Array,
  reading: TableReading | undefined,
): Promise<Result<Table, string>> {
  const { readWorkbook } = await import('../formats/workbook.ts');
  const workbook = readWorkbook(bytes);
  if (!workbook.ok) return workbook;
  const { sheets, rows: rowsOf } = workbook.value;
  const asked = reading?.sheet ?? null;
  const isThere = asked !== null && sheets.includes(asked);
  let first: Result<Table, string> | null = null;
  // By default, the first sheet with a table: cover pages have none.
  for (const sheet of isThere ? [asked] : sheets) {
    const rows = await rowsOf(sheet);
    const grid = rows.ok
      ? gridOf({ ...namedRows(rows.value), delimiter: '' }, `The sheet “${sheet}”`)
      : rows;
    if (grid.ok) return ok(tableOf({ ...grid.value, encoding: 'UTF-8', sheets, sheet }, reading));
    first ??= grid;
  }
  return first ?? err('The workbook has no sheets.');
}

export function readTableText(
  text: string,
  encoding = 'UTF-8',
  reading?: TableReading,
): Result<Table, string> {
  const source = readDelimited(text);
  if (source.openQuote !== null)
    return err(`A quote (") in row ${source.openQuote} is never closed. Close or remove it.`);
  const grid = gridOf(source, 'The file');
  return grid.ok
    ? ok(tableOf({ ...grid.value, encoding, sheets: [], sheet: null }, reading))
    : grid;
}

interface Grid {
  readonly names: readonly string[];
  /** Column by column. */
  readonly columns: readonly (readonly string[])[];
  readonly numRows: number;
  readonly rowNumber: (row: number) => number;
  readonly delimiter: string;
}

type RowSource = NamedRows & Pick<DelimitedText, 'delimiter'>;

function gridOf(source: RowSource, what: string): Result<Grid, string> {
  const { columns: names, numRows, rowNumber, delimiter } = source;
  if (numRows === 0) return err(`${what} has no rows of data.`);
  if (numRows * names.length > mostCells)
    return err(`The table has ${numRows} rows and ${names.length} columns: too many to map here.`);
  const columns = names.map(() => Array.from({ length: numRows }, () => ''));
  for (let r = 0; r < numRows; r++) {
    const row = source.row(r);
    if (row.slice(names.length).some((cell) => cell.trim() !== '')) {
      const where = `Row ${rowNumber(r)} has ${row.length} cells, but there are ${names.length} columns.`;
      const advice =
        delimiter === ''
          ? 'Put the names of the columns in the first row.'
          : `Quote cells that contain ${delimiterName(delimiter)}.`;
      return err(`${where} ${advice}`);
    }
    for (let c = 0; c < names.length; c++) columns[c][r] = (row[c] ?? '').trim();
  }
  return ok({ names, columns, numRows, rowNumber, delimiter });
}

interface OpenedGrid extends Grid {
  readonly encoding: string;
  readonly sheets: readonly string[];
  readonly sheet: string | null;
}

const plainReading: TableReading = { sheet: null, decimal: null, columns: {} };

/** `earlier`: the same cells read differently; columns with an unchanged reading are reused. */
function tableOf(grid: OpenedGrid, reading: TableReading = plainReading, earlier?: Table): Table {
  const { names, columns, numRows, rowNumber, delimiter, encoding, sheets, sheet } = grid;
  const file = styleOf(everyCell(columns), delimiter);
  const style = reading.decimal ?? file.style;
  const prefersDay = style === 'comma' || delimiter === ';';
  const info = names.map((name, c) => {
    const chosen = Object.hasOwn(reading.columns, name) ? reading.columns[name] : undefined;
    const before = earlier?.style === style ? earlier.info[c] : undefined;
    const guess = before ?? guessReading(columns[c], style, prefersDay);
    const guessed = before === undefined ? (guess as GuessedReading).reading : before.guessed;
    const read = chosen ?? guessed;
    if (before !== undefined && isSame(before.reading, read)) return before;
    const facts = { guessed, symbols: guess.symbols, isOrderOpen: guess.isOrderOpen };
    return { ...describe(name, columns[c], { reading: read, style, rowNumber }), ...facts };
  });
  const byName = new Map(names.map((name, c) => [name, columns[c]]));
  const table: Table = {
    info,
    numRows,
    encoding,
    delimiter,
    sheets,
    sheet,
    style,
    isOpen: file.isOpen,
    rowNumber,
    cells: (column) => byName.get(column),
    read: (next = plainReading) =>
      next.decimal === reading.decimal && isSame(next.columns, reading.columns)
        ? table
        : tableOf(grid, next, table),
    reading: (used) => {
      const special = info.flatMap(({ name, reading: read }) =>
        read !== null && used.has(name) ? [[name, read] as const] : [],
      );
      const isPlain = special.length === 0 && sheet === null && reading.decimal === null;
      return isPlain
        ? undefined
        : { sheet, decimal: reading.decimal, columns: Object.fromEntries(special) };
    },
  };
  return table;
}

/** For plain data built in the same way. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function delimiterName(delimiter: string): string {
  const names: Readonly<Record<string, string>> = {
    '': 'cells',
    ',': 'commas',
    ';': 'semicolons',
    '\t': 'tabs',
    '|': 'bars',
  };
  return names[delimiter] ?? `“${delimiter}”`;
}

function* everyCell(columns: readonly (readonly string[])[]): Generator<string> {
  for (const column of columns) yield* column;
}

const flags = new Set(['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n']);

interface DescribeOptions {
  readonly reading: ColumnReading | null;
  readonly style: NumberStyle;
  readonly rowNumber: (row: number) => number;
}

function describe(
  name: string,
  cells: readonly string[],
  { reading, style, rowNumber }: DescribeOptions,
): Omit<ColumnInfo, 'guessed' | 'symbols' | 'isOrderOpen'> {
  const levels = new Set<string>();
  const missingRows: number[] = [];
  let [numMissing, numNumbers, numInts, numFlags] = [0, 0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [row, cell] of cells.entries()) {
    if (isMissing(cell)) {
      numMissing++;
      if (missingRows.length < shownRows) missingRows.push(rowNumber(row));
      continue;
    }
    if (levels.size < mostLevels) levels.add(cell);
    const number = reading === null ? numberOf(cell, style) : cellNumber(cell, reading, style);
    if (Number.isNaN(number)) {
      if (reading?.as !== 'text' && flags.has(cell.toLowerCase())) numFlags++;
      continue;
    }
    numNumbers++;
    if (Number.isInteger(number)) numInts++;
    if (Number.isFinite(number)) [min, max] = [Math.min(min, number), Math.max(max, number)];
  }
  const counts = { present: cells.length - numMissing, numNumbers, numInts, numFlags };
  const kind = kindOf(counts, levels.size);
  const isDate = reading?.as === 'date' && (kind === 'integer' || kind === 'number');
  return {
    name,
    kind: isDate ? 'date' : kind,
    reading,
    min: min <= max ? min : null,
    max: min <= max ? max : null,
    isWhole: numNumbers > 0 && numInts === numNumbers,
    numLevels: levels.size,
    numMissing,
    missingRows,
  };
}

interface Counts {
  readonly present: number;
  readonly numNumbers: number;
  readonly numInts: number;
  readonly numFlags: number;
}

function kindOf({ present, numNumbers, numInts, numFlags }: Counts, numLevels: number): ColumnKind {
  if (present === 0) return 'empty';
  if (numInts === present) return 'integer';
  // Some texts among many numbers are mistakes in the file, and reported as such when it is mapped.
  if (numNumbers > present * 0.5) return 'number';
  return numFlags === present && numLevels <= 2 ? 'flag' : 'text';
}

const collator = new Intl.Collator('en', { numeric: true });

/** Distinct texts of a column in natural order ("2" before "10"), without missing ones. */
export function levelsOf(cells: readonly string[]): string[] {
  const levels = new Set<string>();
  for (const cell of cells) if (!isMissing(cell)) levels.add(cell);
  return [...levels].sort((a, b) => collator.compare(a, b) || (a < b ? -1 : 1));
}
