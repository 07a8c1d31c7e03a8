/** Numbers as text, in the field's usual file formats. */

/** Shortest text that reads back as the same double; `nan`, `inf`, `-inf` as Stan writes them. */
export function numberText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const names = new Map<string, number>([
  ['nan', NaN],
  ['-nan', NaN],
  ['+nan', NaN],
  ['na', NaN],
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['infinity', Infinity],
  ['+infinity', Infinity],
  ['-infinity', -Infinity],
  ['true', 1],
  ['false', 0],
]);

/**
 * The number in a cell: decimal notation, not-a-number and infinities in any spelling and case, `NA` as NaN, `true` and
 * `false` as 1 and 0. Null if it is none of these (or empty).
 */
export function parseNumber(text: string): number | null {
  const number = Number(text);
  const first = text.charCodeAt(0);
  // Number() also accepts '', '0x10' and blanks: the fast path takes what starts as numbers do, the pattern the rest.
  if (number === number && first > 42 && first < 58 && !(text.charCodeAt(1) > 64)) return number;
  const trimmed = text.trim();
  if (PLAIN_NUMBER.test(trimmed)) return Number(trimmed);
  return names.get(trimmed.toLowerCase()) ?? null;
}
