/** The long CSV of an experiment's draws (rows of chain, variable, value) and a reader for similar files. */
import { splitCsvLine, textCell, unguardText } from './csv-cell.ts';
import {
  createDrawsTable,
  type DrawsTable,
  type DrawsTableBuilder,
  type DrawsTableLimits,
  noLimits,
} from './draws-table.ts';
import { fromDottedName } from './flat-name.ts';
import { type ColumnStore, memoryColumns, type NumberColumn } from './growing-column.ts';
import { parseNumber } from './number-text.ts';
import { createLineSplitter, LineError } from './text-lines.ts';

/**
 * Rows of one variable of one chain, in iteration order, without header: a piece of the file. Numbers are written as
 * shortest round-trip text, `NaN`, `Infinity`, `-Infinity`; `isBool`: 1 and 0 as `true` and `false`.
 */
export function longCsvRows(
  chain: string,
  variable: string,
  values: Float64Array,
  isBool = false,
): string {
  const start = `${textCell(chain)},${textCell(variable)},`;
  let rows = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const isFlag = isBool && (value === 0 || value === 1);
    rows += `${start}${isFlag ? value === 1 : value}\n`;
  }
  return rows;
}

/** A file that is not a table of draws, with the line that shows this. */
export class DrawsCsvError extends LineError {
  override readonly name = 'DrawsCsvError';
}

export interface DrawsCsvReader<C = Float64Array> {
  /** Throws {@link DrawsCsvError}. */
  push(text: string): void;
  /** Throws {@link DrawsCsvError}. */
  end(): DrawsTable<C>;
}

/** Without header and with four columns, it takes several rows to see which one counts iterations. */
const ROWS_TO_LOOK_AT = 200;

/**
 * Reads text that may arrive in pieces: long form with or without header, with or without an iteration column, and
 * wide form (a header, one column per variable, `chain` and `iteration` columns if present). Lines that start with `#`
 * are comments. An incomplete last line that does not fit is left out, since the file may still grow.
 */
export function createDrawsCsvReader(limits?: DrawsTableLimits): DrawsCsvReader;
export function createDrawsCsvReader<C extends NumberColumn<C>>(
  limits: DrawsTableLimits,
  store: ColumnStore<C>,
): DrawsCsvReader<C>;
export function createDrawsCsvReader(
  limits: DrawsTableLimits = noLimits,
  store: ColumnStore = memoryColumns,
): DrawsCsvReader {
  const table = createDrawsTable(limits, store);
  let readRow: ((cells: string[]) => string | null) | null = null;
  let waiting: { cells: string[]; line: number }[] = [];
  let lineNumber = 0;

  const take = (cells: string[], line: number, isLast: boolean) => {
    const problem = readRow?.(cells) ?? null;
    if (problem !== null && !isLast) throw new DrawsCsvError(problem, line);
  };
  const settleColumns = () => {
    readRow = longRowReader(table, guessColumns(waiting.map((row) => row.cells)));
    for (const row of waiting) take(row.cells, row.line, false);
    waiting = [];
  };
  const splitter = createLineSplitter((line, isLast) => {
    lineNumber++;
    if (line.startsWith('#') || line.trim() === '') return;
    const cells = splitCsvLine(line);
    if (readRow !== null) return take(cells, lineNumber, isLast);
    if (waiting.length === 0) readRow = readerOfHeader(table, cells);
    if (readRow !== null) return;
    if (cells.length < 3 || cells.length > 4) {
      if (isLast && waiting.length > 0) return;
      throw new DrawsCsvError(
        `has ${cells.length} columns; expected chain, variable, value`,
        lineNumber,
      );
    }
    if (isLast && waiting.length > 0 && cells.length !== waiting[0].cells.length) return;
    waiting.push({ cells, line: lineNumber });
    if (cells.length === 3 || waiting.length >= ROWS_TO_LOOK_AT) settleColumns();
  });
  return {
    push: (text) => splitter.push(text),
    end() {
      splitter.end();
      if (waiting.length > 0) settleColumns();
      return table.finish();
    },
  };
}

/** Positions of the fields in a long row; −1: absent. */
interface LongColumns {
  readonly count: number;
  readonly chain: number;
  readonly variable: number;
  readonly value: number;
  readonly iteration: number;
}

const chainNames = ['chain', 'chain_name', '.chain', 'chain_id'];
const variableNames = ['variable', 'var_name', 'parameter', 'param', 'name', '.variable'];
const valueNames = ['value', 'var_value', '.value'];
const iterationNames = ['iteration', '.iteration', 'iter', 'draw', '.draw'];

/** A reader chosen by header row; null if the row is not a header: a header contains no numbers and no chain's name. */
function readerOfHeader(table: DrawsTableBuilder, cells: string[]) {
  const names = cells.map((cell) => cell.trim());
  const lower = names.map((name) => name.toLowerCase());
  const find = (known: readonly string[]) => lower.findIndex((name) => known.includes(name));
  const variable = find(variableNames);
  const value = find(valueNames);
  if (variable !== -1 && value !== -1 && find(chainNames) !== -1) {
    const places = { chain: find(chainNames), variable, value, iteration: find(iterationNames) };
    return longRowReader(table, { count: cells.length, ...places });
  }
  const isHeader = names.every((name) => name !== '' && parseNumber(name) === null);
  if (!isHeader || (names.length > 1 && names[0].startsWith('chain#'))) return null;
  return wideRowReader(table, names, find(chainNames), find(['iteration', '.iteration', 'iter']));
}

/**
 * Three columns are chain, variable, value. Of four, iterations are the column that rises from the same start in every
 * chain and variable; if that does not decide, a column that rises, and the third before the fourth, as runners write
 * it.
 */
function guessColumns(rows: readonly string[][]): LongColumns {
  const base = { count: rows[0].length, chain: 0, variable: 1 };
  if (base.count === 3) return { ...base, value: 2, iteration: -1 };
  const third = likeIterations(rows, 2);
  const fourth = likeIterations(rows, 3);
  return fourth > third ? { ...base, value: 2, iteration: 3 } : { ...base, value: 3, iteration: 2 };
}

/** 2: integers that rise from one start in every chain and variable; 1: from several; 0: something else. */
function likeIterations(rows: readonly string[][], column: number): 0 | 1 | 2 {
  const last = new Map<string, number>();
  const starts = new Set<number>();
  for (const cells of rows) {
    const iteration = parseNumber(cells[column] ?? '');
    if (iteration === null || !Number.isInteger(iteration) || iteration < 0) return 0;
    const key = `${cells[0]}\n${cells[1]}`;
    const before = last.get(key);
    if (before === undefined) starts.add(iteration);
    else if (iteration <= before) return 0;
    last.set(key, iteration);
  }
  return starts.size === 1 ? 2 : 1;
}

/** Reads one row of long form; returns the problem as a message if it does not fit. */
function longRowReader(table: DrawsTableBuilder, columns: LongColumns) {
  const chainName = createChainNamer();
  return (cells: string[]): string | null => {
    if (cells.length !== columns.count)
      return `has ${cells.length} columns instead of ${columns.count}`;
    const value = parseNumber(cells[columns.value]);
    if (value === null) return `"${cells[columns.value].slice(0, 40)}" is not a number`;
    const iteration = columns.iteration === -1 ? NaN : parseNumber(cells[columns.iteration]);
    if (iteration === null) return `"${cells[columns.iteration].slice(0, 40)}" is not an iteration`;
    table.add(
      chainName(cells[columns.chain]),
      unguardText(cells[columns.variable]),
      value,
      iteration,
    );
    return null;
  };
}

/** Reads one row of wide form; empty cells and texts (a sampler's name) leave their column out. */
function wideRowReader(
  table: DrawsTableBuilder,
  names: string[],
  chain: number,
  iteration: number,
) {
  const chainName = createChainNamer();
  const skipped = new Set([chain, iteration, names.findIndex((name) => name === '.draw')]);
  const variables = names.map((name) => fromDottedName(unguardText(name)));
  return (cells: string[]): string | null => {
    if (cells.length !== names.length)
      return `has ${cells.length} columns instead of ${names.length}`;
    const ofChain = chain === -1 ? 'chain#1' : chainName(cells[chain]);
    const at = iteration === -1 ? NaN : (parseNumber(cells[iteration]) ?? NaN);
    for (let column = 0; column < cells.length; column++) {
      const value = skipped.has(column) ? null : parseNumber(cells[column]);
      if (value !== null) table.add(ofChain, variables[column], value, at);
    }
    return null;
  };
}

/** `1` and `1.0` → `chain#1`; names stay. Cached, so that equal names are one string. */
function createChainNamer(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const name = known.get(text);
    if (name !== undefined) return name;
    const plain = unguardText(text.trim());
    const number = parseNumber(plain);
    const made = number !== null && Number.isInteger(number) ? `chain#${number}` : plain;
    known.set(text, made);
    return made;
  };
}
