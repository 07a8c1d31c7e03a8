/** Dates and times on every page, in the reader's language and never with a numeric month: "22 Nov 2026, 05:42". */

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

export function formatDay(date: Date): string {
  return date.toLocaleDateString(undefined, day);
}

/** "05:42" on the same day as `now`, otherwise "22 Nov, 05:42". */
export function formatRecent(date: Date, now: Date = new Date()): string {
  const time = date.toLocaleTimeString(undefined, clock);
  if (date.toDateString() === now.toDateString()) return time;
  return `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })}, ${time}`;
}

/** "05:42:02" */
export function formatClock(date: Date): string {
  return date.toLocaleTimeString(undefined, { ...clock, second: '2-digit' });
}

export function formatDateTime(date: Date): string {
  return date.toLocaleString(undefined, { ...day, ...clock, second: '2-digit' });
}
