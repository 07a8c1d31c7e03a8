/** One cell of a CSV row: quoting, and the guard against cells that a spreadsheet would run as a formula. */

/**
 * Text as a cell of an exported CSV. Text that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`,
 * `@`, tab or carriage return) gets an apostrophe in front; cells with a comma, quote or line end are quoted.
 */
export function textCell(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Apostrophes before the sign count too, so that removing one always restores the original. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** The text of a cell that {@link textCell} guarded. */
export function unguardText(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/**
 * Cells of one CSV line, quotes resolved. A comma inside square brackets is part of the cell, since many writers
 * leave `theta[1,2]` unquoted. Line ends inside quotes are not supported.
 */
export function splitCsvLine(line: string): string[] {
  if (!line.includes('"') && !line.includes('[')) return line.split(',');
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const [cell, end] = line[at] === '"' ? quotedCell(line, at) : bareCell(line, at);
    cells.push(cell);
    at = end + 1;
  }
  return cells;
}

function quotedCell(line: string, start: number): [cell: string, end: number] {
  let text = '';
  let at = start + 1;
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote === -1) return [text + line.slice(at), line.length];
    text += line.slice(at, quote);
    if (line[quote + 1] !== '"') {
      const end = line.indexOf(',', quote + 1);
      return [text, end === -1 ? line.length : end];
    }
    text += '"';
    at = quote + 2;
  }
}

function bareCell(line: string, start: number): [cell: string, end: number] {
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 91) depth++;
    else if (code === 93) depth = Math.max(0, depth - 1);
    else if (code === 44 && depth === 0) return [line.slice(start, at), at];
  }
  // An unclosed bracket is an ordinary character.
  const comma = depth > 0 ? line.indexOf(',', start) : -1;
  const end = comma === -1 ? line.length : comma;
  return [line.slice(start, end), end];
}
