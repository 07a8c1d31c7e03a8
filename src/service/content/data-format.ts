/** The content of a data object: its bytes as sent, and the format detected from them. */
import { fromBase64 } from '../../formats/base64.ts';
import { parseDataJson } from '../../formats/data-json.ts';
import { invalidField } from '../http/service-error.ts';
import type { DataContent } from '../repositories/data.ts';

/** Throws INVALID_PARAMETER when the text is declared as base64 but is not. */
export function decodeData(data: string, isBase64: boolean): DataContent {
  const bytes = isBase64 ? fromBase64(data) : new TextEncoder().encode(data);
  if (bytes === null) throw invalidField('payload.data', 'is not base64.');
  return { bytes, fmt: formatOf(bytes) };
}

/** Enough to distinguish a table from text. */
const peekBytes = 64 * 1024;

export type DataFormat = 'json' | 'csv' | 'raw';

export function formatOf(bytes: Uint8Array): DataFormat {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'raw';
  }
  // No table begins like this: invalid JSON must not be read as a table.
  if (/^\s*[[{]/.test(text)) return parseDataJson(text).ok ? 'json' : 'raw';
  return isTable(text.slice(0, peekBytes), text.length > peekBytes) ? 'csv' : 'raw';
}

/** At least two columns, and the same number in each of the first lines; a truncated last line does not count. */
function isTable(text: string, isCut: boolean): boolean {
  if (/\p{Cc}/u.test(text.replace(/[\t\r\n\f\v]/g, ''))) return false;
  const lines = text.split(/\r?\n/);
  if (isCut) lines.pop();
  const rows = lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).slice(0, 50);
  if (rows.length === 0) return false;
  return [',', '\t', ';'].some((separator) => {
    const widths = new Set(rows.map((row) => countCells(row, separator)));
    return widths.size === 1 && !widths.has(1);
  });
}

function countCells(row: string, separator: string): number {
  let cells = 1;
  let isQuoted = false;
  for (const character of row) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) cells++;
  }
  return cells;
}
