/** Dialogs over a list: rename a row, tag several. */
import { Checkbox, Modal, TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import { nameOfEntry } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { useClient } from '../../../objects/use-client.ts';
import { Form } from '../../../ui/form.tsx';
import { SubmitButtons } from '../../../ui/form-actions.tsx';
import { formatCount } from '../../../ui/numbers.ts';
import { Problem } from '../../../ui/problem.tsx';
import { type NamedRow, renameRow, type TaggedRow, tagRows, tagsOf } from './change-rows.ts';
import classes from './row-forms.module.css';

export function RenameForm({ row, onClose }: { row: NamedRow; onClose: () => void }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [name, setName] = useState(row.name);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const writing = { client, queryClient, changes: [objectKeys(row.object_type).all] };
      await renameRow(writing, row, name.trim());
      onClose();
    } catch (error) {
      setProblem(ApiError.from(error).message);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} size={420} title="Rename">
      <Form
        className={classes.form}
        onSubmit={() => {
          if (name.trim() !== '') void save();
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {problem !== '' && <Problem>Not renamed: {problem}</Problem>}
        <div className={classes.buttons}>
          <SubmitButtons onCancel={onClose} loading={isBusy} disabled={name.trim() === ''}>
            Rename
          </SubmitButtons>
        </div>
      </Form>
    </Modal>
  );
}

export interface TagFormProps {
  readonly rows: readonly TaggedRow[];
  readonly onClose: () => void;
  /** Ids of those whose tags could not be changed. */
  readonly onDone: (failed: readonly string[]) => void;
}

/** Tags are ticked if all rows have them, half-ticked if only some do; others can be added. */
export function TagForm({ rows, onClose, onDone }: TagFormProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [added, setAdded] = useState<string[]>([]);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const counts = new Map<string, number>();
  for (const tag of rows.flatMap(tagsOf)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const present = [...counts.keys()].sort();
  const [first] = rows;
  const change = {
    add: [...added, ...present.filter((tag) => chosen[tag] === true)],
    remove: present.filter((tag) => chosen[tag] === false),
  };
  const isChanged = change.add.length > 0 || change.remove.length > 0;
  const save = async () => {
    setBusy(true);
    const changes = first === undefined ? [] : [objectKeys(first.object_type).all];
    onDone(await tagRows({ client, queryClient, changes }, rows, change));
  };
  const of =
    rows.length === 1 && first !== undefined ? nameOfEntry(first) : formatCount(rows.length);
  return (
    <Modal opened onClose={onClose} size={420} title={`Tags of ${of}`}>
      <Form
        className={classes.form}
        onSubmit={() => {
          if (isChanged) void save();
        }}
      >
        <TagsInput
          label="Add tags"
          description="Enter adds a tag."
          data-autofocus
          maxTags={32}
          value={added}
          onChange={setAdded}
        />
        {present.length > 0 && (
          <fieldset className={classes.tags}>
            <legend>Tags now</legend>
            {present.map((tag) => (
              <Checkbox
                key={tag}
                label={`${tag} (${formatCount(counts.get(tag) ?? 0)})`}
                checked={chosen[tag] ?? counts.get(tag) === rows.length}
                indeterminate={chosen[tag] === undefined && counts.get(tag) !== rows.length}
                onChange={(event) => setChosen({ ...chosen, [tag]: event.currentTarget.checked })}
              />
            ))}
          </fieldset>
        )}
        <div className={classes.buttons}>
          <SubmitButtons onCancel={onClose} loading={isBusy} disabled={!isChanged}>
            Change tags
          </SubmitButtons>
        </div>
      </Form>
    </Modal>
  );
}
