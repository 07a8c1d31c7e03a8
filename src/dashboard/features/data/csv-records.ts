/** A CSV text by its records: where each begins is found once, a record is read when it is looked at. */

export interface CsvTable {
  readonly columns: readonly string[];
  /** Without the header. */
  readonly numRows: number;
  /** Cells of one record, 0-based; fewer or more than there are columns when the file has so. */
  readonly row: (index: number) => string[];
}

const QUOTE = 0x22;
const RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** Quoted cells may hold delimiters, doubled quotes and line ends. Empty lines are no records. */
export function readCsv(text: string): CsvTable {
  const starts = recordStarts(text);
  const numRecords = starts.length - 1;
  const delimiter = guessDelimiter(text.slice(0, starts[Math.min(1, numRecords)]));
  const record = (index: number) =>
    splitRecord(text.slice(starts[index], starts[index + 1]).replace(/[\r\n]+$/, ''), delimiter);
  const first = numRecords === 0 ? [] : record(0);
  const hasHeader = numRecords > 0 && first.some((cell) => cell !== '' && Number.isNaN(+cell));
  return {
    columns: hasHeader ? first : first.map((_, index) => String(index + 1)),
    numRows: hasHeader ? numRecords - 1 : numRecords,
    row: (index) => record(hasHeader ? index + 1 : index),
  };
}

/** Offsets of the records, and the end of the text. */
function recordStarts(text: string): Uint32Array {
  let starts = new Uint32Array(1024);
  let numStarts = 0;
  let isQuoted = false;
  let isAtStart = true;
  for (let i = text.charCodeAt(0) === 0xfeff ? 1 : 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isEnd = code === LINE_FEED || code === RETURN;
    if (isEnd && !isQuoted) {
      isAtStart = true;
      continue;
    }
    if (isAtStart) {
      if (numStarts + 1 >= starts.length) {
        const larger = new Uint32Array(starts.length * 2);
        larger.set(starts);
        starts = larger;
      }
      starts[numStarts++] = i;
      isAtStart = false;
    }
    if (code === QUOTE) isQuoted = !isQuoted;
  }
  starts[numStarts] = text.length;
  return starts.subarray(0, numStarts + 1);
}

function guessDelimiter(line: string): string {
  const count = (delimiter: string) => line.split(delimiter).length;
  return ['\t', ';'].find((delimiter) => count(delimiter) > count(',')) ?? ',';
}

function splitRecord(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter);
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < record.length; i++) {
    const char = record[i];
    if (char === '"') {
      if (isQuoted && record[i + 1] === '"') {
        cell += '"';
        i++;
      } else isQuoted = !isQuoted;
    } else if (char === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  cells.push(cell);
  return cells;
}
