/** Creates an event, a callback, or a relation between the two. */
import { Button, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CreatePayload } from '../../../contract/objects.ts';
import { useAction } from '../../objects/use-action.ts';
import { Card } from '../../ui/card.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type Joinable, useJoinables } from '../relations/joinable.ts';
import { everyNSamples } from './builtin-events.ts';
import classes from './events.module.css';
import type { EventKind } from './queries.ts';

export interface CreateFormProps {
  readonly kind: EventKind;
  /** Preselected ends of a relation. */
  readonly from: string;
  readonly to: string;
  readonly onMade: (id: string) => void;
  readonly onCancel: () => void;
}

interface FieldsProps {
  /** Null while something is missing. */
  readonly onChange: (payload: CreatePayload | null) => void;
}

export function CreateForm({ kind, from, to, onMade, onCancel }: CreateFormProps) {
  const [payload, setPayload] = useState<CreatePayload | null>(null);
  const { run, isBusy, problem } = useAction(
    (client, wanted: CreatePayload) => client.createObject({ body: { payload: wanted } }),
    { onDone: (made) => onMade('short_id' in made ? made.short_id : '') },
  );
  return (
    <Card
      as="form"
      padded
      className={`${classes.panel} ${classes.form}`}
      aria-label={`New ${kind}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (payload !== null) void run(payload);
      }}
    >
      {kind === 'event' && <EventFields onChange={setPayload} />}
      {kind === 'callback' && <CallbackFields onChange={setPayload} />}
      {kind === 'relation' && <RelationFields from={from} to={to} onChange={setPayload} />}
      {problem !== null && <Problem>Not created: {problem}</Problem>}
      <FormActions tight>
        <Button variant="filled" type="submit" loading={isBusy} disabled={payload === null}>
          Create {kind}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </FormActions>
    </Card>
  );
}

function EventFields({ onChange }: FieldsProps) {
  return (
    <TextInput
      label="Name"
      maxLength={255}
      autoFocus
      onChange={({ currentTarget: { value } }) =>
        onChange(value.trim() === '' ? null : { object_type: 'event', name: value.trim() })
      }
    />
  );
}

const languages = ['javascript', 'julia', 'python'] as const;
type Language = (typeof languages)[number];

interface CallbackDraft {
  readonly lang: Language;
  readonly code: string;
  readonly single_instance: boolean;
}

function CallbackFields({ onChange }: FieldsProps) {
  const [draft, setDraft] = useState<CallbackDraft>({
    lang: 'javascript',
    code: '',
    single_instance: true,
  });
  const change = (part: Partial<CallbackDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    onChange(next.code.trim() === '' ? null : { object_type: 'callback', ...next });
  };
  return (
    <>
      <Select
        label="Language"
        allowDeselect={false}
        data={[...languages]}
        value={draft.lang}
        onChange={(value) => change({ lang: languages.find((one) => one === value) ?? draft.lang })}
      />
      <Textarea
        label="Code"
        description="The program, or gist:<id>:<file>, or repo:<owner>/<name>:<file>. A comment on its first line becomes its title in lists."
        autosize
        minRows={6}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={draft.code}
        onChange={(event) => change({ code: event.currentTarget.value })}
      />
      <Switch
        label="One call at a time"
        checked={draft.single_instance}
        onChange={(event) => change({ single_instance: event.currentTarget.checked })}
      />
    </>
  );
}

interface RelationFieldsProps extends FieldsProps {
  readonly from: string;
  readonly to: string;
}

/** Draws between two calls if a relation does not say. */
const usualN = 1000;

function RelationFields({ from, to, onChange }: RelationFieldsProps) {
  const { events, callables, isPending, nameOf } = useJoinables();
  const [ends, setEnds] = useState({ from, to, n: usualN });
  const hasN = nameOf(ends.from) === everyNSamples;
  const change = (part: Partial<typeof ends>) => setEnds({ ...ends, ...part });
  const { from: object1_id, to: object2_id, n } = ends;
  useEffect(() => {
    const isWhole = Number.isInteger(n) && n >= 1;
    if (object1_id === '' || object2_id === '' || (hasN && !isWhole)) onChange(null);
    else {
      const params = hasN ? { params: { n } } : {};
      onChange({ object_type: 'relation', object1_id, object2_id, ...params });
    }
  }, [object1_id, object2_id, n, hasN, onChange]);
  const none = isPending ? 'Loading' : 'No matches.';
  return (
    <>
      <Select
        label="Event"
        placeholder="Choose an event"
        searchable
        nothingFoundMessage={none}
        data={events.map(choiceOf)}
        value={ends.from === '' ? null : ends.from}
        onChange={(value) => change({ from: value ?? '' })}
      />
      <Select
        label="Calls"
        placeholder="Choose a function or a callback"
        searchable
        nothingFoundMessage={none}
        data={[
          { group: 'Functions', items: ofKind(callables, 'function') },
          { group: 'Callbacks', items: ofKind(callables, 'callback') },
        ]}
        value={ends.to === '' ? null : ends.to}
        onChange={(value) => change({ to: value ?? '' })}
      />
      {hasN && (
        <NumberInput
          label="Every n draws"
          description="One call per chain after every n saved draws."
          min={1}
          max={1_000_000_000}
          allowDecimal={false}
          allowNegative={false}
          value={ends.n}
          onChange={(value) => change({ n: Number(value) })}
        />
      )}
    </>
  );
}

const choiceOf = ({ id, name }: Joinable) => ({
  value: id,
  label: name === id ? id : `${name} (${id})`,
});

function ofKind(all: readonly Joinable[], kind: Joinable['kind']) {
  return all.filter((one) => one.kind === kind).map(choiceOf);
}
