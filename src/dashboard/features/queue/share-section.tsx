/** The share of the machines each person or team may have: a table of them, and a form that sets one share. */
import { Button, NumberInput, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { QueueUser } from '../../../contract/queue.ts';
import { Card } from '../../ui/card.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { Note } from '../../ui/note.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { chainColumns } from './chain-columns.ts';
import classes from './queue.module.css';
import { useChangeShare } from './use-queue.ts';

const columns: readonly ListColumn<QueueUser>[] = [
  { key: 'name', title: 'Person or team', phone: 'title', grow: true, cell: ({ name }) => name },
  ...chainColumns,
  {
    key: 'limit',
    title: 'Limit',
    phone: 'numbers',
    align: 'right',
    cell: limitOf,
  },
  {
    key: 'weight',
    title: 'Weight',
    phone: 'numbers',
    align: 'right',
    cell: ({ weight }) => String(weight),
  },
];

function limitOf({ chain_limit: limit, is_team: isTeam }: QueueUser): string {
  if (limit === null) return isTeam ? 'none' : 'default';
  return limit === 0 ? 'held back' : formatCount(limit);
}

/** Content of the form; a number box is empty while it is edited. */
interface Draft {
  readonly name: string;
  readonly limit: number | string;
  readonly weight: number | string;
}

const noDraft: Draft = { name: '', limit: '', weight: 1 };

export function ShareSection({ users }: { readonly users: readonly QueueUser[] }) {
  const [draft, setDraft] = useState(noDraft);
  const limitBox = useRef<HTMLInputElement>(null);
  const edit = ({ name, chain_limit: limit, weight }: QueueUser) => {
    setDraft({ name, limit: limit ?? '', weight });
    limitBox.current?.focus();
  };
  const editColumn: ListColumn<QueueUser> = {
    key: 'edit',
    title: '',
    phone: 'below',
    align: 'right',
    cell: (user) => (
      <Button size="xs" aria-label={`Change the share of ${user.name}`} onClick={() => edit(user)}>
        Change
      </Button>
    ),
  };
  return (
    <section aria-labelledby="queue-people">
      <h2 id="queue-people">People and teams</h2>
      {users.length > 0 && (
        <ListTable
          label="People and teams"
          rows={users}
          columns={[...columns, editColumn]}
          idOf={({ name }) => name}
          nameOf={({ name }) => name}
        />
      )}
      <ShareForm draft={draft} onChange={setDraft} limitBox={limitBox} />
    </section>
  );
}

interface ShareFormProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly limitBox: React.Ref<HTMLInputElement>;
}

function ShareForm({ draft, onChange, limitBox }: ShareFormProps) {
  const share = useChangeShare(() => onChange(noDraft));
  const name = draft.name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || draft.weight === '') return;
    void share.run({
      name,
      weight: Number(draft.weight),
      chain_limit: draft.limit === '' ? null : Number(draft.limit),
    });
  };
  return (
    <Card
      as="form"
      padded
      className={classes.share}
      onSubmit={submit}
      aria-label="Share of a person or team"
    >
      <Note small>
        Among people and teams with chains waiting, the next core goes to the one with the fewest
        running for its weight. A limit counts chains on all machines; a person’s includes what they
        started for a team.
      </Note>
      <div className={classes.fields}>
        <TextInput
          label="Person or team"
          placeholder="ada(@7)"
          value={draft.name}
          error={share.problem}
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        />
        <NumberInput
          label="Chains at once"
          description="Empty: the default; 0: none"
          ref={limitBox}
          min={0}
          max={100_000}
          allowDecimal={false}
          value={draft.limit}
          onChange={(limit) => onChange({ ...draft, limit })}
        />
        <NumberInput
          label="Weight"
          description="With 2, twice as many chains run as with 1"
          min={0.01}
          max={100}
          value={draft.weight}
          onChange={(weight) => onChange({ ...draft, weight })}
        />
        <Button type="submit" loading={share.isBusy} disabled={name === '' || draft.weight === ''}>
          Set
        </Button>
      </div>
    </Card>
  );
}
