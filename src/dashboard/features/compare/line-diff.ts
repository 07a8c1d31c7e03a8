/** Lines of two texts side by side: removed, added, unchanged. */
import { itemAt } from '../../../shared/items.ts';

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** 1-based; null if the line is not in that text. */
  readonly before: number | null;
  readonly after: number | null;
}

/** Maximum size of the table of common lines: 2000 changed lines on either side. */
const mostCells = 4_000_000;

export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  // A line end at the very end does not start another line.
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The shortest edit by longest common subsequence between the common start and end (Wagner & Fischer 1974). If both
 * middles are very long, they count as replaced.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end++;
  const lines: DiffLine[] = [];
  const same = (i: number, j: number) =>
    lines.push({ kind: 'same', text: itemAt(a, i), before: i + 1, after: j + 1 });
  for (let i = 0; i < start; i++) same(i, i);
  middle(a, b, { start, endA: a.length - end, endB: b.length - end }, lines);
  for (let k = end; k > 0; k--) same(a.length - k, b.length - k);
  return lines;
}

function middle(
  a: readonly string[],
  b: readonly string[],
  { start, endA, endB }: { start: number; endA: number; endB: number },
  lines: DiffLine[],
): void {
  const n = endA - start;
  const m = endB - start;
  const removed = (i: number) =>
    lines.push({ kind: 'removed', text: itemAt(a, i), before: i + 1, after: null });
  const added = (j: number) =>
    lines.push({ kind: 'added', text: itemAt(b, j), before: null, after: j + 1 });
  const lengths = n * m > mostCells ? null : commonLengths(a, b, { start, n, m });
  const lengthAt = (row: number, column: number) => lengths?.[row * (m + 1) + column] ?? 0;
  let i = 0;
  let j = 0;
  while (lengths !== null && i < n && j < m) {
    if (a[start + i] === b[start + j]) {
      lines.push({
        kind: 'same',
        text: itemAt(a, start + i),
        before: start + i + 1,
        after: start + j + 1,
      });
      i++;
      j++;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) removed(start + i++);
    else added(start + j++);
  }
  while (i < n) removed(start + i++);
  while (j < m) added(start + j++);
}

/** Entry (i, j): length of the longest common subsequence of everything from line i and line j on. */
function commonLengths(
  a: readonly string[],
  b: readonly string[],
  { start, n, m }: { start: number; n: number; m: number },
): Uint32Array {
  const lengths = new Uint32Array((n + 1) * (m + 1));
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      const at = i * (m + 1) + j;
      lengths[at] =
        a[start + i] === b[start + j]
          ? (lengths[at + m + 2] ?? 0) + 1
          : Math.max(lengths[at + m + 1] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

export interface Hunk {
  /** Number of unchanged lines omitted before it. */
  readonly skipped: number;
  readonly lines: readonly DiffLine[];
}

/** Only the changes with `context` lines around them, and how many lines are omitted between and after. */
export function hunksOf(
  lines: readonly DiffLine[],
  context = 3,
): { readonly hunks: readonly Hunk[]; readonly rest: number } {
  const isNear = new Uint8Array(lines.length);
  for (const [i, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(1, Math.max(0, i - context), i + context + 1);
  }
  const hunks: { skipped: number; lines: DiffLine[] }[] = [];
  let skipped = 0;
  for (const [i, line] of lines.entries()) {
    if (isNear[i] === 0) skipped += 1;
    else if (i > 0 && isNear[i - 1] === 1) hunks.at(-1)?.lines.push(line);
    else {
      hunks.push({ skipped, lines: [line] });
      skipped = 0;
    }
  }
  return { hunks, rest: skipped };
}

export function countChanges(lines: readonly DiffLine[]): { removed: number; added: number } {
  return {
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    added: lines.filter(({ kind }) => kind === 'added').length,
  };
}
