/** Times that callers send. */
import { invalidField } from './service-error.ts';

const lastYear = Date.UTC(9999, 11, 31);

/** ISO 8601 in UTC; throws INVALID_PARAMETER naming `field` for anything else. */
export function readDateTime(field: string, text: string): string {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || time > lastYear)
    throw invalidField(field, 'must be a date and time such as 2030-01-31T12:00:00Z.');
  return new Date(time).toISOString();
}

/** Like `readDateTime`, but refuses times in the past. */
export function readFutureDateTime(field: string, text: string, now: number): string {
  const time = readDateTime(field, text);
  if (Date.parse(time) <= now) throw invalidField(field, 'is in the past.');
  return time;
}
