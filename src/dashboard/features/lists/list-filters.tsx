/** Filters of a list as chips: dashed ones can be added, accented ones are set and go by a click. */
import { Button, UnstyledButton } from '@mantine/core';
import { IconFilter, IconPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { ListEntry } from '../../../contract/objects.ts';
import { FilterChip } from '../../ui/chip.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { FieldKey, ListField } from './list-fields.ts';
import classes from './list-filters.module.css';

const FilterPicker = lazyPart(() => import('./filter-picker.tsx'), 'FilterPicker');

export type FieldValues = Readonly<Partial<Record<FieldKey, string>>>;

export interface ListFiltersProps {
  readonly fields: readonly ListField[];
  readonly values: FieldValues;
  /** What is shown now: it knows the names of ids, and tags to propose. */
  readonly rows: readonly ListEntry[];
  readonly onChange: (change: FieldValues) => void;
  /** Clears the search and all filters; absent while nothing is set. */
  readonly onClear?: () => void;
}

export function ListFilters(props: ListFiltersProps) {
  const { fields, values, rows, onChange, onClear } = props;
  const [open, setOpen] = useState<FieldKey | null>(null);
  // Phones fold what can be added: six chips would push the list off the page.
  const [isUnfolded, setUnfolded] = useState(false);
  const close = (key: FieldKey) => {
    setOpen(null);
    // The chip comes back where the box was.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-filter="${key}"]`)?.focus(),
    );
  };
  return (
    <>
      {fields.length > 1 && (
        <UnstyledButton
          className={`${classes.add} ${classes.fold}`}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <IconFilter size={14} aria-hidden="true" />
          Filters
        </UnstyledButton>
      )}
      {fields.map((field) => {
        const value = values[field.key] ?? '';
        if (value !== '') {
          if (field.isShownByPage) return null;
          return (
            <FilterChip key={field.key} onRemove={() => onChange({ [field.key]: '' })}>
              {field.label} {valueName(field, value, rows)}
            </FilterChip>
          );
        }
        if (open !== field.key)
          return (
            <UnstyledButton
              key={field.key}
              data-filter={field.key}
              data-folded={(fields.length > 1 && !isUnfolded) || undefined}
              className={classes.add}
              onClick={() => setOpen(field.key)}
            >
              <IconPlus size={14} aria-hidden="true" />
              {field.label}
            </UnstyledButton>
          );
        return (
          <Suspense key={field.key} fallback={<span className={classes.add}>{field.label}</span>}>
            <FilterPicker
              field={field}
              rows={rows}
              onPick={(picked) => {
                setOpen(null);
                onChange({ [field.key]: picked });
              }}
              onClose={() => close(field.key)}
            />
          </Suspense>
        );
      })}
      {onClear !== undefined && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear all
        </Button>
      )}
    </>
  );
}

/** The name of an id where a row contains it, the label of a choice, or the value itself. */
export function valueName(field: ListField, value: string, rows: readonly ListEntry[]): string {
  if (Array.isArray(field.choices)) {
    return field.choices.find((choice) => choice.value === value)?.label ?? value;
  }
  for (const row of rows) {
    const name = field.nameOf?.(row, value);
    if (name) return name;
  }
  return value;
}
