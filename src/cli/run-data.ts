/** Data of the run command: JSON, an R dump, or a table whose columns are mapped by the names of the data block. */
import { basename } from 'node:path';
import type { DataMeta } from '../formats/data-meta.ts';
import { readDataText } from '../formats/data-text.ts';
import { decodeText } from '../formats/decode-text.ts';
import { isRDump } from '../formats/r-dump-mark.ts';
import { checkProgram } from '../language/check.ts';
import { hasErrors } from '../language/diagnostics.ts';
import type { DataJson } from '../language/program.ts';
import { applyMapping, type MappedData, rowsText } from '../mapping/apply-mapping.ts';
import { readingText } from '../mapping/cell-reading.ts';
import { guessMapping } from '../mapping/guess-mapping.ts';
import { readTable, type Table } from '../mapping/table.ts';
import { unmappableVariables, type WantedVariable, wantedVariables } from '../mapping/wanted.ts';
import { err, ok, type Result } from '../shared/result.ts';

export interface DataRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly source: string;
  /** Texts of included files, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Rows of a table with missing values. */
  readonly missing: 'drop' | 'stop';
  /** Sheet of a workbook; absent: the first. */
  readonly sheet?: string | undefined;
}

export interface RunData {
  readonly data: DataJson;
  /** Labels of the data's dimensions. */
  readonly labels: DataMeta['labels'];
  /** How a table was read, for stderr; empty: the data were not a table. */
  readonly notes: readonly string[];
}

/** The error is a message for the terminal. */
export async function readRunData(request: DataRequest): Promise<Result<RunData, string>> {
  const { path, bytes } = request;
  const text = decodeText(bytes)?.text ?? null;
  const isTable = text === null || isTableText(path, text);
  if (isTable) return readColumns(request);
  const read = readDataText(text);
  if (read.ok) {
    const { values, meta } = read.value;
    return ok({ data: values, labels: meta.labels, notes: [] });
  }
  const { message, place } = read.error;
  return err(
    place === null
      ? `Cannot use the data ${path}: ${message}.`
      : `Cannot read the data ${path}:${place.line}:${place.column}: ${message}`,
  );
}

/** Decided by the file's name, otherwise by being neither JSON nor R. */
function isTableText(path: string, text: string): boolean {
  if (/\.(?:csv|tsv|tab)$/i.test(path)) return true;
  if (/\.json$/i.test(path) || text.trim() === '') return false;
  return !/^\s*[[{]/.test(text) && !isRDump(text) && /[,;\t]/.test(text);
}

async function readColumns(request: DataRequest): Promise<Result<RunData, string>> {
  const { path, source, files, missing } = request;
  const table = await openTable(request);
  if (!table.ok) return table;
  const checked = checkProgram(source, { include: (name) => files[name] ?? null });
  // Its errors are printed when it is compiled.
  if (hasErrors(checked.diagnostics)) return ok({ data: {}, labels: {}, notes: [] });
  const tuples = unmappableVariables(checked.program.data);
  if (tuples.length > 0)
    return err(
      `Cannot use the data ${path}: the program reads tuples or complex numbers (${tuples.join(', ')}), which columns cannot hold. Give its data as JSON.`,
    );
  const wanted = wantedVariables(checked.program.data);
  const guess = guessMapping(table.value, wanted, { file: basename(path) });
  const mapped = applyMapping(table.value, { ...guess, missing });
  const problems = mapped.problems.map(({ message }) => message);
  const absent = wanted.filter(({ name }) => !Object.hasOwn(guess.variables, name));
  if (absent.length > 0) problems.push(absentText(absent, table.value.info));
  if (problems.length > 0) {
    const isMissing = missing === 'stop' && mapped.incomplete.count > 0;
    if (isMissing) problems.push('Leave such rows out with --missing drop.');
    return err(`Cannot use the data ${path}:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  const { values, meta } = mapped;
  return ok({ data: values, labels: meta.labels, notes: notesOf(path, mapped) });
}

async function openTable({ path, bytes, sheet }: DataRequest): Promise<Result<Table, string>> {
  const asked = sheet === undefined ? undefined : { sheet, decimal: null, columns: {} };
  const table = await readTable(bytes, asked);
  if (!table.ok) return err(`Cannot read the data ${path}: ${table.error}`);
  if (sheet === undefined || table.value.sheet === sheet) return table;
  const { sheets } = table.value;
  return err(
    sheets.length === 0
      ? `${path} has no sheets: leave --sheet out.`
      : `${path} has no sheet “${sheet}”. Its sheets: ${sheets.join(', ')}.`,
  );
}

function absentText(
  absent: readonly WantedVariable[],
  columns: readonly { readonly name: string }[],
): string {
  // The sizes follow from the columns.
  const arrays = absent.filter(({ dims }) => dims.length > 0);
  const names = (arrays.length > 0 ? arrays : absent).map(({ name }) => name).join(', ');
  const there = columns.map(({ name }) => name).join(', ');
  return `No column matches ${names} (the file has ${there}). Name columns as the data block does, give the data as JSON, or map them in the dashboard.`;
}

function notesOf(path: string, { meta, values, numRows, incomplete }: MappedData): string[] {
  const sources = Object.entries(meta.mapping?.variables ?? {}).map(([name, source]) => {
    switch (source.from) {
      case 'column':
        return `${name}: column ${source.column}`;
      case 'factor':
        return `${name}: levels of ${source.column}`;
      case 'per-level':
        return `${name}: ${source.column} by ${source.by}`;
      case 'columns':
        return `${name}: columns ${source.columns.join(', ')}`;
      default:
        return `${name} = ${JSON.stringify(values[name])}`;
    }
  });
  const { sheet = null, columns = {} } = meta.mapping?.reading ?? {};
  const readings = Object.entries(columns).map(
    ([name, reading]) => `${name}: ${readingText(reading)}`,
  );
  const { count, rows } = incomplete;
  const where = sheet === null ? path : `${path}, sheet ${sheet}`;
  return [
    `${where}: ${numRows} rows. ${sources.join('; ')}.`,
    ...(readings.length > 0
      ? [`Columns with values other than numbers: ${readings.join('; ')}.`]
      : []),
    ...(count > 0 ? [`Left out for missing values: ${rowsText(rows, count)}.`] : []),
  ];
}
