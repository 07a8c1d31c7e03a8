/** The display name of a filter's value. */
import type { ListEntry } from '../../../contract/objects.ts';
import { dateLabel } from './date-label.ts';
import type { ListField } from './list-fields.ts';

/** The name of an id if a row contains it, the label of a choice, or the value itself. */
export function valueName(field: ListField, value: string, rows: readonly ListEntry[]): string {
  if (field.choices === 'days') return dateLabel(value);
  if (Array.isArray(field.choices)) {
    return field.choices.find((choice) => choice.value === value)?.label ?? value;
  }
  for (const row of rows) {
    const name = field.nameOf?.(row, value);
    if (name) return name;
  }
  return value;
}
