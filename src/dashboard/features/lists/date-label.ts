/** Spans of days as text. */
import { formatDay } from '../../ui/dates.ts';
import { dayStart, readDaySpan } from './date-choice.ts';

export const dateChoices = [
  { value: 'today', label: 'today' },
  { value: '7d', label: 'in the last 7 days' },
  { value: '30d', label: 'in the last 30 days' },
];

/** "today", "from 1 Nov 2026 to 5 Nov 2026". */
export function dateLabel(value: string): string {
  const choice = dateChoices.find((one) => one.value === value);
  if (choice !== undefined) return choice.label;
  const span = readDaySpan(value);
  if (span === null) return value;
  const shown = (text: string) => formatDay(new Date(dayStart(text)));
  if (span.first === span.last) return `on ${shown(span.first)}`;
  return [span.first && `from ${shown(span.first)}`, span.last && `to ${shown(span.last)}`]
    .filter(Boolean)
    .join(' ');
}
