/** A span of days as the address has it: `today`, `7d`, `30d`, or `2026-11-01..2026-11-05` with either end left out. */
export interface DaySpan {
  /** First and last day, `2026-11-01`; empty: open. */
  readonly first: string;
  readonly last: string;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Null for anything that is not a span of days. */
export function readDaySpan(value: string): DaySpan | null {
  const [first = '', last, ...rest] = value.split('..');
  if (last === undefined || rest.length > 0 || first + last === '') return null;
  const isDay = (text: string) => text === '' || (day.test(text) && !Number.isNaN(dayStart(text)));
  return isDay(first) && isDay(last) ? { first, last } : null;
}

/** The moment a day of the reader begins, `later` days on. */
export function dayStart(text: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/** The moments from which and before which, in ISO 8601; empty: open. Days are those of the reader. */
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
