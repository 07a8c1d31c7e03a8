/** The box of a dashed chip: one of a few choices, an object by its name, or a word. */
import { Autocomplete, Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListEntry } from '../../../contract/objects.ts';
import { choicesQueryOptions, nameOfEntry } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { Form } from '../../ui/form.tsx';
import { type DaySpan, readDaySpan } from './date-choice.ts';
import { dateChoices } from './date-label.ts';
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
  if (choices === 'days') return <DayPicker {...props} />;
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
        // The list itself handles an option that is highlighted.
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

/** A few spans of days, or a range between two days. */
function DayPicker(props: FilterPickerProps) {
  const { field, onPick, onClose } = props;
  const [span, setSpan] = useState<DaySpan | null>(null);
  const rangeChoice = { value: 'range', label: 'between two days …' };
  if (span === null)
    return (
      <ChoicePicker
        {...props}
        choices={[...dateChoices, rangeChoice]}
        onPick={(value) => (value === 'range' ? setSpan({ first: '', last: '' }) : onPick(value))}
        onClose={() => {}}
      />
    );
  const value = `${span.first}..${span.last}`;
  const isInOrder = span.first === '' || span.last === '' || span.first <= span.last;
  const box = (end: keyof DaySpan, label: string) => (
    <TextInput
      type="date"
      size="xs"
      autoFocus={end === 'first'}
      aria-label={`${field.label} ${label}`}
      error={!isInOrder && end === 'last'}
      value={span[end]}
      onChange={(event) => setSpan({ ...span, [end]: event.currentTarget.value })}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    />
  );
  return (
    <Form
      className={classes.span}
      aria-label={field.label}
      onSubmit={() => {
        if (isInOrder && readDaySpan(value) !== null) onPick(value);
      }}
    >
      {field.label} {box('first', 'from')} to {box('last', 'to')}
      <Button type="submit" size="xs" disabled={!isInOrder}>
        Apply
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
        Cancel
      </Button>
    </Form>
  );
}
