/** The values of a data text (JSON or an R dump) by name. */
import { isRecord } from '../shared/items.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { parseDataJson } from './data-json.ts';
import { type DataMeta, dataMeta, withoutMeta } from './data-meta.ts';
import { readRDump } from './r-dump.ts';
import { isRDump } from './r-dump-mark.ts';

export interface DataText {
  /** What a program reads. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly meta: DataMeta;
}

export interface DataTextProblem {
  /** A sentence without a position: "The data are not valid JSON: expected …". */
  readonly message: string;
  /** 1-based; null: the text as a whole. */
  readonly place: { readonly line: number; readonly column: number } | null;
}

/** Empty text has no values. Never throws. */
export function readDataText(text: string): Result<DataText, DataTextProblem> {
  if (text.trim() === '') return ok({ values: {}, meta: dataMeta(null) });
  const isDump = isRDump(text);
  const read = isDump ? readRDump(text) : parseDataJson(text);
  if (!read.ok) {
    const { message, line, column } = read.error;
    const what = isDump ? 'The R dump cannot be read' : 'The data are not valid JSON';
    return err({ message: `${what}: ${message}`, place: { line, column } });
  }
  const value = isDump ? read.value : (read.value as { value: unknown }).value;
  if (!isRecord(value))
    return err({
      message: 'The data must be a JSON object: a value for each variable of the data block',
      place: null,
    });
  const values = withoutMeta(value);
  return ok({ values, meta: dataMeta(value) });
}

/** "The data are not valid JSON: expected … (line 3, column 7)." */
export function dataTextFault({ message, place }: DataTextProblem): string {
  return place === null
    ? `${message}.`
    : `${message} (line ${place.line}, column ${place.column}).`;
}
