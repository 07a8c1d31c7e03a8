/** A span of days in the address: `today`, `7d`, `30d`, or `2026-11-01..2026-11-05` with either end optional. */
export interface DaySpan {
  /** First and last day, `2026-11-01`; empty: open. */
  readonly first: string;
  readonly last: string;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Null for anything except a span of days. */
export function readDaySpan(value: string): DaySpan | null {
  const [first = '', last, ...rest] = value.split('..');
  if (last === undefined || rest.length > 0 || first + last === '') return null;
  const isDay = (text: string) => text === '' || (day.test(text) && !Number.isNaN(dayStart(text)));
  return isDay(first) && isDay(last) ? { first, last } : null;
}

/** When a day begins in the reader's time zone, `later` days on. */
export function dayStart(text: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/** Start and end of the span in ISO 8601; empty: open. Days are in the reader's time zone. */
export function momentsOf(value: string, now = new Date()): { from: string; to: string } {
  const days = { today: 0, '7d': 6, '30d': 29 }[value];
  if (days !== undefined) {
    const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
    return { from: first.toISOString(), to: '' };
  }
  const span = readDaySpan(value);
  const iso = (text: string, later: number) =>
    text ? new Date(dayStart(text, later)).toISOString() : '';
  return { from: iso(span?.first ?? '', 0), to: iso(span?.last ?? '', 1) };
}
