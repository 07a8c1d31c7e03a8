/** Finds a word or a regular expression in all texts of a tree, line by line, and replaces it. Pure. */

export interface FindOptions {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly isCase: boolean;
  /** Whole words only. */
  readonly isWord: boolean;
}

export interface SearchedFile {
  readonly id: number;
  readonly path: string;
  readonly text: string;
}

export interface Match {
  /** From 1, as the editor counts. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** Of the entire line. */
  readonly text: string;
}

export interface FileMatches {
  readonly file: SearchedFile;
  readonly matches: readonly Match[];
}

export interface Findings {
  readonly files: readonly FileMatches[];
  readonly total: number;
  /** The search stopped at the limit. */
  readonly isCut: boolean;
}

/** A pattern with more matches than this should be narrowed. */
export const mostMatches = 1000;

/** The pattern as an expression for one line; null while it is empty. Throws `SyntaxError` for an invalid one. */
export function expressionOf({ pattern, isRegex, isCase, isWord }: FindOptions): RegExp | null {
  if (pattern === '') return null;
  const source = isRegex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const whole = isWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  return new RegExp(whole, isCase ? 'gu' : 'giu');
}

/** Throws `SyntaxError` when the pattern is not a regular expression. */
export function findInFiles(files: readonly SearchedFile[], order: FindOptions): Findings {
  const expression = expressionOf(order);
  const found: FileMatches[] = [];
  let total = 0;
  for (const file of expression === null ? [] : files) {
    const matches: Match[] = [];
    for (const [index, text] of file.text.split(/\r\n?|\n/).entries()) {
      if (total >= mostMatches) break;
      for (const match of text.matchAll(expression as RegExp)) {
        if (match[0] === '' || total >= mostMatches) continue;
        matches.push({ line: index + 1, column: match.index + 1, length: match[0].length, text });
        total += 1;
      }
    }
    if (matches.length > 0) found.push({ file, matches });
  }
  return { files: found, total, isCut: total >= mostMatches };
}

/** The new text of each file that changes, by its id. In a regular expression `$1` stands for its first group. */
export function replaceInFiles(
  files: readonly SearchedFile[],
  order: FindOptions,
  replacement: string,
): ReadonlyMap<number, string> {
  const expression = expressionOf(order);
  const changed = new Map<number, string>();
  if (expression === null) return changed;
  // A literal replacement has no `$1`.
  const by = order.isRegex ? replacement : replacement.replaceAll('$', '$$$$');
  for (const { id, text } of files) {
    // Line ends stay as they are: each line is replaced separately, as it was found.
    const next = text
      .split(/(\r\n?|\n)/)
      .map((part, index) => (index % 2 === 1 ? part : replaceInLine(part, expression, by)))
      .join('');
    if (next !== text) changed.set(id, next);
  }
  return changed;
}

/** Skips empty matches, which are not shown either. */
function replaceInLine(line: string, expression: RegExp, by: string): string {
  const single = new RegExp(expression.source, expression.flags.replace('g', 'y'));
  let result = '';
  let end = 0;
  for (const match of line.matchAll(expression)) {
    if (match[0] === '') continue;
    single.lastIndex = match.index;
    const replaced = line.replace(single, by);
    const added = replaced.length - line.length + match[0].length;
    result += line.slice(end, match.index) + replaced.slice(match.index, match.index + added);
    end = match.index + match[0].length;
  }
  return result + line.slice(end);
}
