/**
 * Delimited text (CSV, TSV, and what spreadsheets export) by rows: the start of each row is located once, and a row is
 * parsed on access.
 */

export interface NamedRows {
  /** Names in the header, made unique: an empty one is "column 3", a second `x` is "x (2)". */
  readonly columns: readonly string[];
  /** Without the header and without completely empty rows. */
  readonly numRows: number;
  /** Cells of one row, 0-based; may be fewer or more than there are columns. */
  readonly row: (index: number) => readonly string[];
  /** The row's number in a spreadsheet: counted from 1, including header and empty rows. */
  readonly rowNumber: (index: number) => number;
}

export interface DelimitedText extends NamedRows {
  readonly delimiter: string;
  readonly hasHeader: boolean;
  /** Number of the row with an unclosed quote; null: there is none. */
  readonly openQuote: number | null;
}

const quote = 0x22;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const space = 0x20;
const hash = 0x23;

/** Quoted cells may contain delimiters, doubled quotes and line ends. Lines that begin with # before the header are skipped. */
export function readDelimited(text: string): DelimitedText {
  const from = startOf(text);
  const named = /sep=(.)\r?\n/y;
  named.lastIndex = from;
  const separator = named.exec(text)?.[1];
  const begin = separator === undefined ? from : named.lastIndex;
  const delimiter = separator ?? guessDelimiter(text.slice(begin, begin + 65_536));
  const { begins, ends, numbers, openQuote } = findRows(text, begin, delimiter.charCodeAt(0));
  const numRecords = begins.length;
  const record = (index: number) => splitRow(text.slice(begins[index], ends[index]), delimiter);
  const first = numRecords === 0 ? [] : record(0);
  const hasHeader = isHeader(first);
  const shift = hasHeader ? 1 : 0;
  // R omits the name of the row names' column.
  const isShort = hasHeader && numRecords > 1 && record(1).length === first.length + 1;
  const skipped = separator === undefined ? 0 : 1;
  return {
    columns: columnNames(isShort ? ['', ...first] : first, hasHeader),
    numRows: numRecords - shift,
    row: (index) => record(index + shift),
    rowNumber: (index) => numbers[index + shift] + skipped,
    delimiter,
    hasHeader,
    openQuote: openQuote === null ? null : openQuote + skipped,
  };
}

/** Rows of a sheet after its header. Titles above the table are skipped: rows of one cell if the table has more. */
export function namedRows(rows: readonly (readonly string[])[]): NamedRows {
  const filled = rows.flatMap((row, index) =>
    row.some((cell) => cell.trim() !== '') ? [{ row, number: index + 1 }] : [],
  );
  const numFilled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;
  const start = filled.findIndex(({ row }) => numFilled(row) > 1);
  const table = filled.slice(Math.max(0, start));
  const first = table[0]?.row ?? [];
  const hasHeader = isHeader(first);
  const body = hasHeader ? table.slice(1) : table;
  return {
    columns: columnNames(first, hasHeader),
    numRows: body.length,
    row: (index) => body[index]?.row ?? [],
    rowNumber: (index) => body[index]?.number ?? 0,
  };
}

const isHeader = (cells: readonly string[]) => !cells.every(isNumber);

/** Whatever the decimal and thousands separators; blank cells count too. */
const isNumber = (cell: string) => !Number.isNaN(Number(cell.replaceAll(',', '')));

function columnNames(cells: readonly string[], hasHeader: boolean): string[] {
  const given = hasHeader ? cells.map((cell) => cell.trim()) : cells.map(() => '');
  // Spreadsheets write delimiters for columns that have been deleted.
  while (hasHeader && given[given.length - 1] === '') given.pop();
  const taken = new Set<string>();
  return given.map((cell, index) => {
    const name = cell || (hasHeader ? `column ${index + 1}` : String(index + 1));
    let unique = name;
    for (let i = 2; taken.has(unique); i++) unique = `${name} (${i})`;
    taken.add(unique);
    return unique;
  });
}

/** After a byte order mark and comments. */
function startOf(text: string): number {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (text.charCodeAt(at) === hash) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

interface Rows {
  /** Offsets of non-empty rows: start and end of each. */
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** Their numbers, counting empty rows. */
  readonly numbers: readonly number[];
  readonly openQuote: number | null;
}

function findRows(text: string, from: number, delimiter: number): Rows {
  const begins: number[] = [];
  const ends: number[] = [];
  const numbers: number[] = [];
  let [number, begin, quotedSince] = [1, from, 0];
  let [isQuoted, isCellStart, isEmpty, wasClosed] = [false, true, true, false];
  for (let i = from; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : lineFeed;
    if (isQuoted && i < text.length) {
      if (code === quote) [isQuoted, wasClosed] = [false, true];
      else if (code > space) isEmpty = false;
      continue;
    }
    // A quote opens a cell only at its start, and right after a closing one, where it is a doubled quote.
    if (code === quote && (isCellStart || wasClosed)) {
      [isQuoted, quotedSince] = [true, number];
      if (wasClosed) isEmpty = false;
    }
    wasClosed = false;
    if (code === lineFeed || code === carriageReturn) {
      if (!isEmpty) {
        begins.push(begin);
        ends.push(i);
        numbers.push(number);
      }
      if (code === carriageReturn && text.charCodeAt(i + 1) === lineFeed) i++;
      [begin, isCellStart, isEmpty] = [i + 1, true, true];
      number++;
    } else if (code === delimiter) isCellStart = true;
    else if (code === quote) isCellStart = false;
    else if (code !== space) [isCellStart, isEmpty] = [false, false];
  }
  return { begins, ends, numbers, openQuote: isQuoted ? quotedSince : null };
}

/** Occurs in no text: the file has one column. */
const noDelimiter = '\u0000';

/** The delimiter that splits the header and most first lines equally; if none splits the header, the lines alone. */
function guessDelimiter(head: string): string {
  const lines = head
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  let best = { delimiter: noDelimiter, score: 500 };
  for (const delimiter of [',', ';', '\t', '|']) {
    const widths = lines.map((line) => splitRow(line, delimiter).length);
    const first = widths[0] ?? 1;
    const width = first > 1 ? first : (widths[1] ?? 1);
    if (width < 2) continue;
    const numEven = widths.filter((one) => one === width || one === width + 1).length;
    const evenness = (numEven / lines.length) * 1000;
    const score = evenness + Math.min(width, 100) + (first > 1 ? 2000 : 0);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function splitRow(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter);
  const cells: string[] = [];
  let cell = '';
  let [isQuoted, isStart] = [false, true];
  for (let i = 0; i < record.length; i++) {
    const char = record[i];
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (record[i + 1] === '"') {
        cell += '"';
        i++;
      } else isQuoted = false;
    } else if (char === delimiter) {
      cells.push(cell);
      [cell, isStart] = ['', true];
    } else if (char === '"' && isStart) {
      [isQuoted, isStart, cell] = [true, false, ''];
    } else {
      cell += char;
      if (char !== ' ') isStart = false;
    }
  }
  cells.push(cell);
  return cells;
}
