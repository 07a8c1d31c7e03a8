/** What a data object holds, read off its bytes: `json`, `csv` or `raw`. */
import { parseDataJson } from '../../formats/data-json.ts';

/** Enough to tell a table from text. */
const peekBytes = 64 * 1024;

export function formatOf(bytes: Uint8Array): 'json' | 'csv' | 'raw' {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'raw';
  }
  // Nothing that begins so is a table: JSON with a fault must not be read as one.
  if (/^\s*[[{]/.test(text)) return parseDataJson(text).ok ? 'json' : 'raw';
  return isTable(text.slice(0, peekBytes), text.length > peekBytes) ? 'csv' : 'raw';
}

/** At least two columns, and the same number in each of the first lines; a last line that was cut does not count. */
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
