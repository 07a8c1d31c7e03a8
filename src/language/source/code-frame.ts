/** Draws the lines around a span with a caret below what is meant. */
import { lineStarts, lineText, positionAt, type SourceFile } from './source-file.ts';
import type { Span } from './span.ts';

/** Lines shown before the one that holds the span. */
const contextLines = 2;

/** The frame as text, one line per source line, no trailing line break. Tabs count as one column. */
export function renderCodeFrame(file: SourceFile, span: Span): string {
  const from = positionAt(file, span.start);
  const to = positionAt(file, span.end);
  const firstLine = Math.max(1, from.line - contextLines);
  const lastLine = Math.min(lineStarts(file).length, from.line + 1);
  const width = String(lastLine).length;
  const lines: string[] = [];
  for (let line = firstLine; line <= lastLine; line++) {
    const text = lineText(file, line).replaceAll('\t', ' ');
    if (line > from.line && text.trim() === '') continue;
    lines.push(`  ${String(line).padStart(width)} | ${text}`.trimEnd());
    if (line !== from.line) continue;
    const end = to.line === from.line ? to.column : text.length + 1;
    const carets = '^'.repeat(Math.max(1, end - from.column));
    lines.push(`  ${' '.repeat(width)} | ${' '.repeat(from.column - 1)}${carets}`);
  }
  return lines.join('\n');
}
