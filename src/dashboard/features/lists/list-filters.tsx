/** Filters of a list: a button to add one, and a chip for each that is set, removed by a click. */
import { Button, UnstyledButton } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { ListEntry } from '../../../contract/objects.ts';
import { FilterChip } from '../../ui/chip.tsx';
import { barePart } from '../../ui/lazy-part.ts';
import type { FieldKey, FieldValues, ListField } from './list-fields.ts';
import classes from './list-filters.module.css';
import { valueName } from './value-name.ts';

const FilterPicker = barePart(() => import('./filter-picker.tsx'), 'FilterPicker');
const FilterMenu = barePart(() => import('./filter-menu.tsx'), 'FilterMenu');

export interface ListFiltersProps {
  readonly fields: readonly ListField[];
  readonly values: FieldValues;
  /** The rows currently shown: they supply the names of ids, and tags to suggest. */
  readonly rows: readonly ListEntry[];
  readonly onChange: (change: FieldValues) => void;
  /** Clears the search and all filters; absent if nothing is set. */
  readonly onClear?: () => void;
}

export function ListFilters(props: ListFiltersProps) {
  const { fields, values, rows, onChange, onClear } = props;
  const [open, setOpen] = useState<FieldKey | null>(null);
  const [hasMenu, setMenu] = useState(false);
  const isSet = ({ key }: ListField) => (values[key] ?? '') !== '';
  const free = fields.filter((field) => !isSet(field));
  const asked = free.find(({ key }) => key === open);
  const close = () => {
    setOpen(null);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-filters]')?.focus());
  };
  return (
    <>
      {free.length > 0 && (
        <Suspense fallback={<FilterButton />}>
          {hasMenu ? (
            <FilterMenu fields={free} onChoose={setOpen} />
          ) : (
            <FilterButton onClick={() => setMenu(true)} />
          )}
        </Suspense>
      )}
      {asked !== undefined && (
        <Suspense fallback={<span className={classes.add}>{asked.label}</span>}>
          <FilterPicker
            key={asked.key}
            field={asked}
            rows={rows}
            onPick={(picked) => {
              setOpen(null);
              onChange({ [asked.key]: picked });
            }}
            onClose={close}
          />
        </Suspense>
      )}
      {fields
        .filter((field) => isSet(field) && !field.isShownByPage)
        .map((field) => (
          <FilterChip key={field.key} onRemove={() => onChange({ [field.key]: '' })}>
            {field.label} {valueName(field, values[field.key] ?? '', rows)}
          </FilterChip>
        ))}
      {onClear !== undefined && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear all
        </Button>
      )}
    </>
  );
}

function FilterButton({ onClick }: { onClick?: () => void }) {
  return (
    <UnstyledButton className={classes.add} aria-haspopup="menu" data-filters onClick={onClick}>
      <IconFilter size={14} aria-hidden="true" />
      Filter
    </UnstyledButton>
  );
}
