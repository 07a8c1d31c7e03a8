/** Draws the lines around a span with a caret below the relevant part. */
import { lineStarts, lineText, positionAt, type SourceFile } from './source-file.ts';
import type { Span } from './span.ts';

/** Lines shown before the one that contains the span. */
const contextLines = 2;
/** Columns shown of a longer line, and where the span begins in them. */
const widest = 160;
const before = 60;

/** The frame as text, one line per source line, no trailing line break. Tabs count as one column. */
export function renderCodeFrame(file: SourceFile, span: Span): string {
  const from = positionAt(file, span.start);
  const to = positionAt(file, span.end);
  const firstLine = Math.max(1, from.line - contextLines);
  const lastLine = Math.min(lineStarts(file).length, from.line + 1);
  const width = String(lastLine).length;
  const lines: string[] = [];
  const skipped = from.column > widest - before ? from.column - before : 0;
  for (let line = firstLine; line <= lastLine; line++) {
    const text = inView(lineText(file, line), skipped);
    if (line > from.line && text.trim() === '') continue;
    lines.push(`  ${String(line).padStart(width)} | ${text}`.trimEnd());
    if (line !== from.line) continue;
    const start = from.column - skipped;
    const end = to.line === from.line ? to.column - skipped : text.length + 1;
    const carets = '^'.repeat(Math.max(1, Math.min(end, widest) - start));
    lines.push(`  ${' '.repeat(width)} | ${' '.repeat(start - 1)}${carets}`);
  }
  return lines.join('\n');
}

/** A generated program may be one line of a megabyte. */
function inView(line: string, skipped: number): string {
  const seen = line.slice(skipped, skipped + widest).replaceAll('\t', ' ');
  if (line.length <= skipped + seen.length && skipped === 0) return seen;
  const start = skipped > 0 && seen !== '' ? `…${seen.slice(1)}` : seen;
  return line.length > skipped + widest ? `${start.slice(0, -1)}…` : start;
}
