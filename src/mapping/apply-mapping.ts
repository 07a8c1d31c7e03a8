/** Applies a mapping to a table: the values of a data block with their labels, and what is wrong with which rows. */
import type { DataMapping, DataMeta, VariableSource } from '../formats/data-meta.ts';
import { ColumnReader } from './column-reader.ts';
import { isMissing } from './number-style.ts';
import type { Table } from './table.ts';

export interface MappingProblem {
  /** Null: concerns the file as a whole. */
  readonly variable: string | null;
  readonly message: string;
}

export interface MappedData {
  /** Variables that could be made, in the order of the mapping. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly meta: DataMeta;
  /** Rows in the data. */
  readonly numRows: number;
  /** Number of rows with a missing value in a mapped column, and the first of them. */
  readonly incomplete: { readonly count: number; readonly rows: readonly number[] };
  /** Nothing is saved as long as there are any. */
  readonly problems: readonly MappingProblem[];
}

/** Never throws. */
export function applyMapping(opened: Table, mapping: DataMapping): MappedData {
  const table = opened.read(mapping.reading);
  const sources = Object.entries(mapping.variables);
  const problems: MappingProblem[] = [];
  const isThere = (name: string) => table.cells(name) !== undefined;
  const usable = sources.filter(([variable, source]) => {
    const absent = columnsOf(source).find((column) => !isThere(column));
    if (absent !== undefined)
      problems.push({ variable, message: `There is no column “${absent}” in this file.` });
    return absent === undefined;
  });
  const columns = new Set(usable.flatMap(([, source]) => columnsOf(source)));
  const incomplete = incompleteRows(table, columns);
  if (mapping.missing === 'stop') problems.push(...missingProblems(table, columns));
  const reader = new ColumnReader(table, incomplete, mapping);
  const values = new Map<string, unknown>();
  for (const [variable, source] of usable) {
    const read = reader.read(source);
    if (read.ok) values.set(variable, read.value);
    else problems.push(...read.error.map((message) => ({ variable, message })));
  }
  for (const [variable, source] of usable) {
    if (source.from !== 'width') continue;
    const width = widthOf(mapping.variables[source.of]);
    if (width === null)
      problems.push({ variable, message: `\`${source.of}\` is not made of columns.` });
    else values.set(variable, width);
  }
  const ordered = sources.filter(([name]) => values.has(name));
  return {
    values: Object.fromEntries(ordered.map(([name]) => [name, values.get(name)])),
    meta: { labels: labelsOf(mapping, reader), mapping: withReading(table, mapping) },
    numRows: reader.rows.length,
    incomplete: {
      count: incomplete.size,
      rows: [...incomplete].slice(0, 10).map(table.rowNumber),
    },
    problems,
  };
}

/** Also stores what the file itself suggests, so that the next file is read the same way. */
function withReading(table: Table, mapping: DataMapping): DataMapping {
  const used = new Set(Object.values(mapping.variables).flatMap(columnsOf));
  const reading = table.reading(used);
  const { version, file, variables, missing, rowLabels } = mapping;
  const plain = { version, file, variables, missing, rowLabels };
  return reading === undefined ? plain : { ...plain, reading };
}

/** Names of the columns that a source reads. */
export function columnsOf(source: VariableSource): readonly string[] {
  switch (source.from) {
    case 'column':
    case 'factor':
    case 'levels':
      return [source.column];
    case 'per-level':
      return [source.column, source.by];
    case 'columns':
      return source.columns;
    case 'rows':
    case 'width':
    case 'value':
      return [];
  }
}

const widthOf = (source: VariableSource | undefined): number | null =>
  source?.from === 'columns' ? source.columns.length : null;

function incompleteRows(table: Table, columns: ReadonlySet<string>): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const name of columns) {
    if (table.info.find((column) => column.name === name)?.numMissing === 0) continue;
    for (const [row, cell] of (table.cells(name) ?? []).entries())
      if (isMissing(cell)) rows.add(row);
  }
  return new Set([...rows].sort((a, b) => a - b));
}

function missingProblems(table: Table, columns: ReadonlySet<string>): MappingProblem[] {
  return table.info
    .filter(({ name, numMissing }) => columns.has(name) && numMissing > 0)
    .map(({ name, numMissing, missingRows }) => {
      const count = numMissing === 1 ? '1 missing value' : `${numMissing} missing values`;
      const places = rowsText(missingRows, numMissing);
      return { variable: null, message: `Column “${name}” has ${count}, in ${places}.` };
    });
}

/** "row 5", "rows 5, 9 and 14", "rows 5, 9, 14, 20, 21 and 7 more". */
export function rowsText(rows: readonly number[], count: number): string {
  if (count === 1) return `row ${rows[0]}`;
  if (count > rows.length) return `rows ${rows.join(', ')} and ${count - rows.length} more`;
  return `rows ${rows.slice(0, -1).join(', ')} and ${rows.at(-1)}`;
}

/** Keyed by the variable that is the size; see the README in formats. */
function labelsOf(mapping: DataMapping, reader: ColumnReader): Record<string, readonly string[]> {
  const labels = new Map<string, readonly string[]>();
  const sources = Object.entries(mapping.variables);
  const counters = (fits: (source: VariableSource) => boolean) =>
    sources.filter(([, source]) => fits(source)).map(([name]) => name);
  for (const [name, source] of sources) {
    if (source.from === 'factor' && source.base === 1) {
      const { column, levels } = source;
      const sizes = counters((other) => other.from === 'levels' && other.column === column);
      for (const size of sizes.length === 0 ? [name] : sizes) labels.set(size, levels);
    }
    if (source.from === 'columns') {
      const sizes = counters((other) => other.from === 'width' && other.of === name);
      for (const size of sizes) labels.set(size, source.columns);
    }
  }
  const rows = mapping.rowLabels === null ? null : reader.texts(mapping.rowLabels);
  if (rows !== null)
    for (const size of counters(({ from }) => from === 'rows')) labels.set(size, rows);
  return Object.fromEntries(labels);
}
