/** JSON with NaN and infinities, which JSON lacks and data may hold: they cross to a guest as marked texts. */

const MARK = '\u0001';

/** JSON text in which each non-finite number is a marked text. */
export function markNumbers(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'number' && !Number.isFinite(item) ? MARK + String(item) : item,
  );
}

/** Marked texts become bare `NaN`, `Infinity` and `-Infinity`, as readers of data take them. */
export function unmarkNumbers(text: string): string {
  return text.replace(/"\\u0001(NaN|-?Infinity)"/g, '$1');
}
