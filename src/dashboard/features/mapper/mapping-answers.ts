/** The page's requests about a table, and the answers: a table is opened once and mapped repeatedly. No DOM. */
import {
  type DataMapping,
  dataMeta,
  dataText,
  type TableReading,
  type VariableSource,
} from '../../../formats/data-meta.ts';
import { readDataText } from '../../../formats/data-text.ts';
import { decodeText } from '../../../formats/decode-text.ts';
import { isRDump } from '../../../formats/r-dump-mark.ts';
import { isArchive } from '../../../formats/workbook-mark.ts';
import { applyMapping, type MappedData } from '../../../mapping/apply-mapping.ts';
import { guessMapping } from '../../../mapping/guess-mapping.ts';
import { mapAllColumns } from '../../../mapping/map-all-columns.ts';
import type { NumberStyle } from '../../../mapping/number-style.ts';
import { refreshMapping } from '../../../mapping/refresh-mapping.ts';
import {
  type ColumnInfo,
  delimiterName,
  levelsOf,
  readTable,
  type Table,
} from '../../../mapping/table.ts';
import type { WantedVariable } from '../../../mapping/wanted.ts';
import type { Answers } from '../../threads/call-worker.ts';

export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The kind of a data file. */
export type GivenKind =
  /** Values by name as JSON text; an R dump was converted to it. */
  | { readonly kind: 'values'; readonly text: string }
  | { readonly kind: 'table' }
  /** Nothing that can be read here. */
  | { readonly kind: 'other' }
  /** `isSyntax`: the text is cut off or malformed, whatever its intended format. */
  | { readonly kind: 'broken'; readonly message: string; readonly isSyntax: boolean };

export interface OpenedTable {
  readonly info: readonly ColumnInfo[];
  readonly numRows: number;
  /** "Semicolons, decimal comma, Windows-1252". */
  readonly how: string;
  /** Of a workbook, and the one that is open; empty: the file is one table. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  readonly style: NumberStyle;
  /** The decimal separator, comma or point, is a guess. */
  readonly isStyleOpen: boolean;
  /** The first rows: row number in the spreadsheet, and cells. */
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
}

export interface OpenAsk {
  readonly bytes: Uint8Array;
  /** Null: that of the earlier mapping, or the first. */
  readonly sheet: string | null;
  /** Text of data whose mapping is applied again; null: none. */
  readonly earlierText: string | null;
}

export interface GuessAsk {
  /** Null: the variables of the earlier mapping, or one for each column. */
  readonly wanted: readonly WantedVariable[] | null;
  readonly file: string;
  /** Text of data whose mapping is applied again; null: none. */
  readonly earlierText: string | null;
}

/** Mapped data without their values, which are in the text. */
export interface MappedText extends Omit<MappedData, 'values' | 'meta'> {
  readonly text: string;
  /** The columns as this mapping reads them. */
  readonly info: readonly ColumnInfo[];
  readonly style: NumberStyle;
  /** How many labels each variable has. */
  readonly labels: Readonly<Record<string, number>>;
}

export interface MappingQuestions {
  identify: { ask: GivenFile; answer: GivenKind };
  /** Opens a table; the error is a sentence. */
  open: {
    ask: OpenAsk;
    answer:
      | { ok: true; table: OpenedTable }
      /** With the sheets that can be opened instead. */
      | { ok: false; error: string; sheets: readonly string[] };
  };
  guess: { ask: GuessAsk; answer: { mapping: DataMapping; notes: readonly string[] } };
  apply: { ask: DataMapping; answer: MappedText };
  /** Whether data were made by a mapping. */
  hasMapping: { ask: string; answer: boolean };
}

const shownRows = 100;

export function createMappingAnswers(): Answers<MappingQuestions> {
  let opened: Table | null = null;
  const table = () => {
    if (opened === null) throw new Error('No table is open.');
    return opened;
  };
  return {
    identify: identifyGiven,
    open: async ({ bytes, sheet, earlierText }) => {
      const earlier = earlierText === null ? undefined : mappingIn(earlierText)?.reading;
      const asked = sheet ?? earlier?.sheet ?? null;
      const read = await readTable(bytes, asked === null ? undefined : onSheet(asked));
      if (!read.ok) return { ...read, sheets: await sheetsOf(bytes) };
      opened = read.value;
      return { ok: true, table: describe(opened) };
    },
    guess: ({ wanted, file, earlierText }) => {
      const earlier = earlierText === null ? null : mappingIn(earlierText);
      const refreshed = earlier === null ? null : refreshMapping(table(), earlier);
      const notes = refreshed?.notes ?? [];
      if (wanted !== null)
        return { mapping: guessMapping(table(), wanted, { file, earlier }), notes };
      if (refreshed !== null) return { mapping: { ...refreshed.mapping, file }, notes };
      return { mapping: mapAllColumns(table(), file), notes };
    },
    apply: (mapping) => {
      const { info, style } = table().read(mapping.reading);
      const { values, meta, ...facts } = applyMapping(table(), withLevels(table(), mapping));
      const labels = Object.entries(meta.labels).map(([name, texts]) => [name, texts.length]);
      const text = dataText(values, meta);
      return { ...facts, text, info, style, labels: Object.fromEntries(labels) };
    },
    hasMapping: (text) => mappingIn(text) !== null,
  };
}

/** The reader of workbooks is loaded when the first one is opened. */
async function openWorkbook(bytes: Uint8Array) {
  const { readWorkbook } = await import('../../../formats/workbook.ts');
  return readWorkbook(bytes);
}

async function sheetsOf(bytes: Uint8Array): Promise<readonly string[]> {
  const workbook = isArchive(bytes) ? await openWorkbook(bytes) : null;
  return workbook?.ok ? workbook.value.sheets : [];
}

const onSheet = (sheet: string): TableReading => ({ sheet, decimal: null, columns: {} });

function mappingIn(text: string): DataMapping | null {
  const read = text.includes('"meta__"') ? readDataText(text) : null;
  return read?.ok ? read.value.meta.mapping : null;
}

/** The screen chooses columns; the levels are filled in from the table. */
function withLevels(table: Table, mapping: DataMapping): DataMapping {
  const filled = (source: VariableSource): VariableSource =>
    source.from === 'factor' && source.levels.length === 0
      ? { ...source, levels: levelsOf(table.cells(source.column) ?? []) }
      : source;
  const variables = Object.entries(mapping.variables).map(([name, source]) => [
    name,
    filled(source),
  ]);
  return { ...mapping, variables: Object.fromEntries(variables) };
}

function describe(table: Table): OpenedTable {
  const { info, numRows, delimiter, style, encoding } = table;
  const columns = info.map(({ name }) => table.cells(name) ?? []);
  const rows = Array.from({ length: Math.min(numRows, shownRows) }, (_, row) => ({
    number: table.rowNumber(row),
    cells: columns.map((cells) => (cells[row] ?? '').slice(0, 80)),
  }));
  const parts = [
    ...(info.length > 1 && table.sheet === null
      ? [`separated by ${delimiterName(delimiter)}`]
      : []),
    ...(style === 'comma' ? ['decimal commas'] : []),
    ...(encoding === 'UTF-8' ? [] : [encoding]),
  ];
  const { sheets, sheet, isOpen: isStyleOpen } = table;
  return { info, numRows, how: parts.join(', '), sheets, sheet, style, isStyleOpen, rows };
}

/** Names and content decide; if the name says JSON, invalid JSON is an error of the file. */
export async function identifyGiven({ name, bytes }: GivenFile): Promise<GivenKind> {
  const isTableName = /\.(?:csv|tsv|tab|xls[xm]?|ods)$/i.test(name);
  if (isArchive(bytes)) {
    const workbook = await openWorkbook(bytes);
    if (workbook.ok) return { kind: 'table' };
    const message = workbook.error;
    return isTableName ? { kind: 'broken', message, isSyntax: false } : { kind: 'other' };
  }
  const text = decodeText(bytes)?.text ?? null;
  if (text === null) {
    if (!isTableName) return { kind: 'other' };
    const read = await readTable(bytes);
    return { kind: 'broken', message: read.ok ? '' : read.error, isSyntax: false };
  }
  if (text.trim() === '') return { kind: 'broken', message: 'The file is empty.', isSyntax: false };
  const isValues = /^\s*[[{]/.test(text) || /\.json$/i.test(name) || isRDump(text);
  if (isValues && !isTableName) return identifyValues(text);
  return isTableName || /[^\n]*[,;\t][^\n]*\r?\n/.test(text)
    ? { kind: 'table' }
    : { kind: 'other' };
}

function identifyValues(text: string): GivenKind {
  const read = readDataText(text);
  if (!read.ok) {
    const { message, place } = read.error;
    const where = place === null ? '' : ` in line ${place.line}, column ${place.column}`;
    const isCut = message.endsWith('found the end');
    const advice = isCut ? ' The file seems to be cut off.' : '';
    return { kind: 'broken', message: `${message}${where}.${advice}`, isSyntax: place !== null };
  }
  if (!isRDump(text)) return { kind: 'values', text };
  const { values, meta } = read.value;
  const hasLabels = Object.keys(meta.labels).length > 0;
  return {
    kind: 'values',
    text: hasLabels ? dataText(values, dataMeta({ meta__: meta })) : `${JSON.stringify(values)}\n`,
  };
}
