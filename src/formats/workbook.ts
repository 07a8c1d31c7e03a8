/**
 * Workbooks (.xlsx) as rows of texts, sheet by sheet. Our reader unpacks the archive with limits and passes it on
 * without compression; a sheet's claimed range is checked before rows are made from it.
 */
import { zipSync } from 'fflate';
import { err, ok, type Result } from '../shared/result.ts';
import { readZip } from './archive.ts';

export interface Workbook {
  /** Names in tab order; at least one. */
  readonly sheets: readonly string[];
  /** Rows of one sheet as texts, including empty rows; row 1 of the sheet is the first. The error is a sentence. */
  readonly rows: (sheet: string) => Promise<Result<readonly (readonly string[])[], string>>;
}

const mebibyte = 2 ** 20;

/** Sheets compress to a fiftieth, those with a single value throughout to a few hundredths. */
const limits = {
  fileBytes: 128 * mebibyte,
  totalBytes: 256 * mebibyte,
  nodes: 5000,
  depth: 16,
  ratio: 600,
};

/** Maximum number of cells in a sheet, and the format's own limits. */
const most = { cells: 20_000_000, rows: 1_048_576, columns: 16_384 };

/** The error is a sentence. Never throws. */
export function readWorkbook(bytes: Uint8Array): Result<Workbook, string> {
  const unpacked = readZip(bytes, { ...limits });
  if (!unpacked.ok)
    return err(`The workbook cannot be read: ${lowerFirst(unpacked.error.message)}`);
  const parts = new Map(unpacked.value.files.map((file) => [file.path, file.bytes]));
  const index = parts.get('xl/workbook.xml');
  if (index === undefined)
    return err('This is an archive without a workbook in it. Save the table as .xlsx or as CSV.');
  const sheets = sheetNames(textOf(index));
  if (sheets.length === 0) return err('The workbook has no sheets.');
  for (const [path, content] of parts) {
    const fault = /^xl\/worksheets\/[^/]+\.xml$/.test(path) ? spanFault(textOf(content)) : null;
    if (fault !== null) return err(fault);
  }
  const packed = repack(parts);
  return ok({ sheets, rows: (sheet) => readRows(packed, sheet) });
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Leaves out pictures and the like. */
function repack(parts: ReadonlyMap<string, Uint8Array>): ArrayBuffer {
  const kept = [...parts].filter(([path]) => path.endsWith('.xml') || path.endsWith('.xml.rels'));
  const { buffer } = zipSync(Object.fromEntries(kept), { level: 0 });
  return buffer as ArrayBuffer;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function sheetNames(index: string): string[] {
  const tags = index.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? [];
  return tags.flatMap((tag) => {
    const name = /\sname\s*=\s*(["'])(.*?)\1/s.exec(tag);
    return name === null ? [] : [decoded(name[2])];
  });
}

const decoded = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (all, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    return entities.get(name) ?? all;
  });

/** Why a sheet is not read: a single distant cell would make a table of everything before it. */
function spanFault(sheet: string): string | null {
  const damaged = 'The workbook is damaged: a cell has no valid position.';
  let [rows, columns] = [0, 0];
  for (const [tag, name, rest] of sheet.matchAll(/<(?:\w+:)?(c|row)\b([^>]*)>/g)) {
    if (rest.includes('&')) return damaged;
    const place = /\sr\s*=\s*["']([^"']*)["']/.exec(rest)?.[1];
    if (place === undefined) continue;
    const found =
      name === 'row' ? /^()(\d{1,7})$/.exec(place) : /^([A-Z]{1,3})(\d{1,7})$/.exec(place);
    if (found === null) return damaged;
    const row = Number(found[2]);
    if (row > most.rows || row < 1) return damaged;
    // Cells and rows with only a style do not extend the range.
    if (name === 'row' || tag.endsWith('/>')) continue;
    rows = Math.max(rows, row);
    columns = Math.max(columns, columnNumber(found[1]));
  }
  if (columns > most.columns) return damaged;
  if (rows * columns <= most.cells) return null;
  return `A sheet spans ${rows} rows and ${columns} columns: too many to map here. Clear cells that are far from the table.`;
}

const columnNumber = (letters: string) =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

async function readRows(
  workbook: ArrayBuffer,
  sheet: string,
): Promise<Result<readonly (readonly string[])[], string>> {
  try {
    const { readSheet } = await import('read-excel-file/universal');
    const rows = (await readSheet(workbook, sheet)) as readonly (readonly unknown[])[];
    return ok(rows.map((row) => row.map(cellText)));
  } catch (error) {
    return err(`The sheet “${sheet}” cannot be read: ${reasonOf(error)}`);
  }
}

/** The library names the cell: "<c/> at row 3, col 2: VALUE_MISSING". */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const place = /row (\d+), col (\d+):/.exec(message);
  if (place === null) return `${message.replace(/\.$/, '')}.`;
  const [, row, column] = place;
  return `row ${row}, column ${column} is not a valid cell. Save the workbook again in a spreadsheet program.`;
}

/** Dates in the form of ISO 8601, numbers to their last digit. */
function cellText(cell: unknown): string {
  if (cell instanceof Date) return dateText(cell);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';
}

const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);

function dateText(date: Date): string {
  const time = date.getTime();
  if (Number.isNaN(time)) return '';
  // A time of day without a date belongs to a day before all dates: the cell contains a fraction of a day.
  if (time < firstDay + 2 * dayMs) return String((time - firstDay) / dayMs);
  const iso = date.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, -1).replace('.000', '');
}
