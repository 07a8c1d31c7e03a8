/**
 * What a data object says about itself: labels of its dimensions, and how its variables were made from a table. It is
 * the member `meta__` of the JSON content, so every server stores it unchanged. No Stan name ends in two underscores,
 * so no program can refer to it. See README.md.
 */
import { isRecord } from '../shared/items.ts';

export const metaName = 'meta__';

export interface DataMeta {
  /**
   * Labels of a dimension by the variable that is its size (`J`): `labels.J[0]` belongs to index 1. If no variable is
   * the size, by the variable that contains the indices (`g`).
   */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Null: not made from a table. */
  readonly mapping: DataMapping | null;
}

/** Maps columns of a table to variables of a data block; enough to read another file with the same columns. */
export interface DataMapping {
  readonly version: 1;
  /** Name of the file that was mapped. */
  readonly file: string;
  readonly variables: Readonly<Record<string, VariableSource>>;
  /** Rows with a missing value in a mapped column: left out, or an error. */
  readonly missing: 'drop' | 'stop';
  /** Column whose texts name the rows; null: none. They label the variable that counts the rows. */
  readonly rowLabels: string | null;
  /** How cells become numbers; absent: each is a plain number with a decimal point. */
  readonly reading?: TableReading;
}

export interface TableReading {
  /** Sheet of a workbook; null: the file is one table. */
  readonly sheet: string | null;
  /** Null: decided by the file itself. */
  readonly decimal: 'point' | 'comma' | null;
  /** Columns with more than plain numbers and texts, or that were chosen to be read differently. */
  readonly columns: Readonly<Record<string, ColumnReading>>;
}

export type ColumnReading =
  | { readonly as: 'number' }
  | { readonly as: 'text' }
  /** "12 %" is 0.12 as a fraction. */
  | { readonly as: 'percent'; readonly unit: 'fraction' | 'percent' }
  /** Amounts in one currency, whose symbol is left out. */
  | { readonly as: 'currency'; readonly symbol: string }
  /** Days since `origin`, "2024-01-31"; `order` applies to dates such as 1/2/2024. */
  | { readonly as: 'date'; readonly order: 'ymd' | 'dmy' | 'mdy'; readonly origin: string };

/** Where the values of one variable come from. Columns are named as in the file's header. */
export type VariableSource =
  /** One value per row. */
  | { readonly from: 'column'; readonly column: string }
  /** One integer per row: the position of the cell's text in `levels`, counted from `base`. */
  | {
      readonly from: 'factor';
      readonly column: string;
      readonly levels: readonly string[];
      readonly base: 0 | 1;
    }
  /** One value per level of the factor in column `by`; all rows of a level must have the same value. */
  | { readonly from: 'per-level'; readonly column: string; readonly by: string }
  /** Rows × columns; with `transposed`, columns × rows. */
  | { readonly from: 'columns'; readonly columns: readonly string[]; readonly transposed: boolean }
  /** The number of rows. */
  | { readonly from: 'rows' }
  /** The number of levels of the factor in a column. */
  | { readonly from: 'levels'; readonly column: string }
  /** The number of columns of the variable `of`. */
  | { readonly from: 'width'; readonly of: string }
  /** As typed: a number or nested lists of numbers. */
  | { readonly from: 'value'; readonly value: unknown };

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The meta of parsed data, without undocumented parts. Never throws. */
export function dataMeta(data: unknown): DataMeta {
  const meta = isRecord(data) && Object.hasOwn(data, metaName) ? data[metaName] : null;
  if (!isRecord(meta)) return { labels: {}, mapping: null };
  const labels = isRecord(meta.labels)
    ? Object.fromEntries(
        Object.entries(meta.labels).filter((entry): entry is [string, string[]] =>
          isTexts(entry[1]),
        ),
      )
    : {};
  return { labels, mapping: mappingOf(meta.mapping) };
}

/** The data without their meta: what a program reads. */
export function withoutMeta<T extends Readonly<Record<string, unknown>>>(data: T): T {
  if (!Object.hasOwn(data, metaName)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== metaName)) as T;
}

/** JSON text of data with their meta last, so that the values come first for a reader. */
export function dataText(values: Readonly<Record<string, unknown>>, meta: DataMeta): string {
  return `${JSON.stringify({ ...withoutMeta(values), [metaName]: meta })}\n`;
}

function mappingOf(value: unknown): DataMapping | null {
  if (!isRecord(value) || value.version !== 1 || !isRecord(value.variables)) return null;
  const variables = Object.entries(value.variables).filter(
    (entry): entry is [string, VariableSource] => isSource(entry[1]),
  );
  return {
    version: 1,
    file: typeof value.file === 'string' ? value.file : '',
    variables: Object.fromEntries(variables),
    missing: value.missing === 'drop' ? 'drop' : 'stop',
    rowLabels: typeof value.rowLabels === 'string' ? value.rowLabels : null,
    ...(isRecord(value.reading) ? { reading: readingOf(value.reading) } : {}),
  };
}

function readingOf({ sheet, decimal, columns }: Record<string, unknown>): TableReading {
  const entries = Object.entries(isRecord(columns) ? columns : {}).filter(
    (entry): entry is [string, ColumnReading] => isReading(entry[1]),
  );
  return {
    sheet: typeof sheet === 'string' ? sheet : null,
    decimal: decimal === 'point' || decimal === 'comma' ? decimal : null,
    columns: Object.fromEntries(entries),
  };
}

function isReading(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { as, unit, symbol, order, origin } = value;
  switch (as) {
    case 'number':
    case 'text':
      return true;
    case 'percent':
      return unit === 'fraction' || unit === 'percent';
    case 'currency':
      return typeof symbol === 'string';
    case 'date':
      return (
        (order === 'ymd' || order === 'dmy' || order === 'mdy') &&
        typeof origin === 'string' &&
        /^\d{4}-\d{2}-\d{2}$/.test(origin)
      );
    default:
      return false;
  }
}

function isSource(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { from, column, columns, levels, base, by, of } = value;
  switch (from) {
    case 'column':
    case 'levels':
      return typeof column === 'string';
    case 'factor':
      return typeof column === 'string' && isTexts(levels) && (base === 0 || base === 1);
    case 'per-level':
      return typeof column === 'string' && typeof by === 'string';
    case 'columns':
      return isTexts(columns) && typeof value.transposed === 'boolean';
    case 'rows':
      return true;
    case 'width':
      return typeof of === 'string';
    case 'value':
      return 'value' in value;
    default:
      return false;
  }
}
