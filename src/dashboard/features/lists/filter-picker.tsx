/** The box behind a dashed chip: one of a few choices, an object by its name, or a word. */
import { Autocomplete, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListEntry } from '../../../contract/objects.ts';
import { choicesQueryOptions, nameOfEntry } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import type { Choice, ListField } from './list-fields.ts';
import classes from './list-filters.module.css';

export interface FilterPickerProps {
  readonly field: ListField;
  readonly rows: readonly ListEntry[];
  readonly onPick: (value: string) => void;
  readonly onClose: () => void;
}

export function FilterPicker(props: FilterPickerProps) {
  const { choices } = props.field;
  if (choices === 'text') return <WordPicker {...props} />;
  if (choices === 'model' || choices === 'workflow')
    return <ObjectPicker {...props} kind={choices} />;
  return <ChoicePicker {...props} choices={choices} />;
}

function ChoicePicker(
  props: FilterPickerProps & { choices: readonly Choice[]; placeholder?: string },
) {
  const { field, choices, onPick, onClose } = props;
  return (
    <Select
      className={classes.picker}
      size="xs"
      autoFocus
      searchable
      defaultDropdownOpened
      aria-label={field.label}
      placeholder={props.placeholder ?? field.label}
      nothingFoundMessage="Nothing has this name."
      limit={100}
      data={[...choices]}
      value={null}
      onChange={(value) => value !== null && onPick(value)}
      onDropdownClose={onClose}
    />
  );
}

function ObjectPicker(props: FilterPickerProps & { kind: 'model' | 'workflow' }) {
  const client = useClient();
  const { kind } = props;
  const { data, isPending, isError } = useQuery(choicesQueryOptions(client, kind));
  const choices = (data ?? []).map((row) => ({
    value: row.short_id,
    label: nameOfEntry(row),
  }));
  const hint = isPending ? 'Loading' : isError ? `The ${kind}s cannot be listed` : undefined;
  return <ChoicePicker {...props} choices={choices} placeholder={hint} />;
}

function WordPicker({ field, rows, onPick, onClose }: FilterPickerProps) {
  const seen = new Set(rows.flatMap((row) => field.valuesOf?.(row) ?? []));
  return (
    <Autocomplete
      className={classes.picker}
      size="xs"
      autoFocus
      aria-label={field.label}
      placeholder={field.help ?? `${field.label}, then Enter`}
      title={field.help}
      maxLength={255}
      limit={100}
      data={[...seen].sort()}
      onOptionSubmit={onPick}
      onKeyDown={(event) => {
        const text = event.currentTarget.value.trim();
        if (event.key === 'Escape') onClose();
        // An option that is marked is taken by the list itself.
        if (event.key !== 'Enter' || event.currentTarget.getAttribute('aria-activedescendant'))
          return;
        event.preventDefault();
        if (text !== '') onPick(text);
      }}
      onBlur={(event) => {
        const text = event.currentTarget.value.trim();
        if (text === '') onClose();
      }}
    />
  );
}
