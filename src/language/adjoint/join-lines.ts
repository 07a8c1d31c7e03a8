/**
 * Values with only one reader, in the next line, are written there: less text to parse and to read, and the same
 * operations on the same numbers.
 */

/** One of our values, as `RegionScope.temporary` names it. */
const declaration = /^const (t\d+) = (.+);$/;

/** Lines that compute and then write once: nothing is written between the value and its reader. */
const reader = /^(?:const [\w$]+ =|(?:lp|d[\w$]+|[KDA]\[[^=]*\]) \+?=) /;

/** Longer values keep their line, so that nesting of brackets does not grow with the program. */
const longest = 60;

/** Whether it only calls functions that always return the same for the same numbers. */
function isArithmetic(text: string): boolean {
  return !/[\w$\])]\(|=>|\bnew\b|\?\?/.test(text.replaceAll(/\bMath\.\w+\(/g, '('));
}

/** One number or one element, which needs no brackets. */
const isWhole = (text: string) => /^[\w$.]+(?:\[[^\][]*\])?$/.test(text);

/** `lines`, statements of one function or of several that share none of our values. */
export function joinLines(lines: readonly string[]): string[] {
  const occurrences = countNames(lines);
  const joined: string[] = [];
  for (const line of lines) {
    let current = line;
    for (;;) {
      const value = declaration.exec(joined.at(-1) ?? '');
      if (value === null || occurrences.get(value[1]) !== 2) break;
      const next = withValue(current, value[1], value[2]);
      if (next === null) break;
      joined.pop();
      current = next;
    }
    joined.push(current);
  }
  return joined;
}

/** The reader with the value in place of its name; null if that is impossible. */
function withValue(line: string, name: string, text: string): string | null {
  if (text.length > longest || !reader.test(line)) return null;
  if (!isArithmetic(text) || !isArithmetic(line)) return null;
  const place = namePattern(name).exec(line);
  if (place === null) return null;
  const [before, after] = [line.slice(0, place.index), line.slice(place.index + name.length)];
  const needsNone = isWhole(text) || isEnclosed(before, after);
  return `${before}${needsNone ? text : `(${text})`}${after}`;
}

/** Between brackets, or everything that a line computes. */
function isEnclosed(before: string, after: string): boolean {
  if (after === ';') return before.endsWith('= ');
  return (before.endsWith('[') && after[0] === ']') || (before.endsWith('(') && after[0] === ')');
}

const namePattern = (name: string) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`);

function countNames(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name] of lines.join('\n').matchAll(/(?<![\w$])t\d+(?![\w$])/g)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
