/** JSON with NaN and infinities, which data may contain but JSON lacks: a guest receives them as marked texts. */

const MARK = '\u0001';

/** JSON text in which each non-finite number is a marked text. */
export function markNumbers(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'number' && !Number.isFinite(item) ? MARK + String(item) : item,
  );
}

/** Marked texts become bare `NaN`, `Infinity` and `-Infinity`, which readers of data accept. */
export function unmarkNumbers(text: string): string {
  return text.replace(/"\\u0001(NaN|-?Infinity)"/g, '$1');
}
