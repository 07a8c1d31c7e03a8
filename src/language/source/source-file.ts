/** A named source text with the mapping between offsets and lines. */
import type { Span } from './span.ts';

export interface SourceFile {
  /** Path inside the model's tree, as users know it. */
  readonly name: string;
  readonly text: string;
}

/** Both 1-based, as editors show them; `column` counts UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const startsByFile = new WeakMap<SourceFile, readonly number[]>();

/** Offset at which each line starts; line breaks are `\n`, `\r\n` and `\r`. */
export function lineStarts(file: SourceFile): readonly number[] {
  let starts = startsByFile.get(file);
  if (!starts) {
    starts = findLineStarts(file.text);
    startsByFile.set(file, starts);
  }
  return starts;
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/** Line and column of an offset; offsets outside the text are moved to its nearest end. */
export function positionAt(file: SourceFile, offset: number): Position {
  const starts = lineStarts(file);
  const inside = Math.min(Math.max(0, offset), file.text.length);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= inside) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: inside - starts[low] + 1 };
}

/** Offset of a line and column; columns past the end of the line are moved to its end. */
export function offsetAt(file: SourceFile, position: Position): number {
  const starts = lineStarts(file);
  const line = Math.min(Math.max(1, position.line), starts.length);
  const end = starts[line - 1] + lineText(file, line).length;
  return Math.min(Math.max(starts[line - 1], starts[line - 1] + position.column - 1), end);
}

/** The text of a 1-based line, without its line break. */
export function lineText(file: SourceFile, line: number): string {
  const starts = lineStarts(file);
  let end = starts[line] ?? file.text.length;
  while (end > starts[line - 1] && '\r\n'.includes(file.text[end - 1])) end--;
  return file.text.slice(starts[line - 1], end);
}

/** The smallest span that contains both; across files, the first one's. */
export function joinSpans(first: Span, last: Span): Span {
  if (first.file !== last.file) return { file: first.file, start: first.start, end: first.end };
  return {
    file: first.file,
    start: Math.min(first.start, last.start),
    end: Math.max(first.end, last.end),
  };
}
