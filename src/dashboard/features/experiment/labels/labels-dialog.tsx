/** The labels of an array's dimensions, edited by hand: a name for each, and one label per line. */
import { Checkbox, Modal, Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import { type DimensionLabels, readLabels } from '../../../../posterior/variable-labels.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { runAction, useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { Form } from '../../../ui/form.tsx';
import { FormActions, SubmitButtons } from '../../../ui/form-actions.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import {
  arraysOf,
  type DimensionDraft,
  draftsOf,
  type LabelledArray,
  labelsPatch,
  linesOf,
  withDrafts,
} from './label-changes.ts';
import classes from './labels.module.css';

export interface LabelsDialogProps {
  readonly live: LiveExperiment;
  readonly onClose: () => void;
}

const noRows: readonly SummaryRow[] = [];

export function LabelsDialog({ live, onClose }: LabelsDialogProps) {
  useReturnFocus();
  const arrays = arraysOf(live.summary?.variables ?? noRows);
  const [chosen, setChosen] = useState(arrays[0]?.name ?? '');
  const array = arrays.find(({ name }) => name === chosen);
  return (
    <Modal opened onClose={onClose} size={560} title="Dimension labels">
      {array === undefined ? (
        <p className={classes.help}>This run has no arrays, so there is nothing to label.</p>
      ) : (
        <>
          <Select
            label="Variable"
            searchable
            allowDeselect={false}
            limit={200}
            value={array.name}
            data={arrays.map(({ name, sizes }) => ({
              value: name,
              label: `${name}[${sizes.join(',')}]`,
            }))}
            onChange={(value) => setChosen(value ?? '')}
          />
          <ArrayForm key={array.name} array={array} arrays={arrays} live={live} onClose={onClose} />
        </>
      )}
    </Modal>
  );
}

interface ArrayFormProps extends LabelsDialogProps {
  readonly array: LabelledArray;
  readonly arrays: readonly LabelledArray[];
}

function ArrayForm({ array, arrays, live, onClose }: ArrayFormProps) {
  const { experiment } = live;
  const labels = readLabels(experiment.meta?.labels);
  const [drafts, setDrafts] = useState(() => draftsOf(array, labels));
  const [others, setOthers] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const store = useStoreLabels(experiment);
  const alike = arrays.filter(
    ({ name, sizes }) => name !== array.name && sizes.join() === array.sizes.join(),
  );
  const tooMany = drafts.some(({ text }, axis) => linesOf(text).length > (array.sizes[axis] ?? 0));
  const change = (axis: number, draft: DimensionDraft) =>
    setDrafts(drafts.map((one, i) => (i === axis ? draft : one)));
  const save = async () => {
    setBusy(true);
    const isDone = await store(withDrafts(labels, [array.name, ...others], drafts));
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <Form
      onSubmit={() => {
        if (!tooMany) void save();
      }}
    >
      {drafts.map((draft, axis) => (
        <DimensionFields
          // A dimension's identity is its position.
          // oxlint-disable-next-line react/no-array-index-key
          key={axis}
          array={array}
          axis={axis}
          draft={draft}
          labels={labels}
          onChange={(next) => change(axis, next)}
        />
      ))}
      {alike.length > 0 && (
        <Checkbox.Group label="Also use them for" value={others} onChange={setOthers} mt={12}>
          <div className={classes.alike}>
            {alike.map(({ name }) => (
              <Checkbox key={name} value={name} label={<code>{name}</code>} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <FormActions end>
        <SubmitButtons onCancel={onClose} loading={isBusy} disabled={tooMany}>
          Save
        </SubmitButtons>
      </FormActions>
    </Form>
  );
}

interface DimensionFieldsProps {
  readonly array: LabelledArray;
  readonly axis: number;
  readonly draft: DimensionDraft;
  readonly labels: DimensionLabels;
  readonly onChange: (draft: DimensionDraft) => void;
}

function DimensionFields({ array, axis, draft, labels, onChange }: DimensionFieldsProps) {
  const size = array.sizes[axis] ?? 0;
  const which = array.sizes.length === 1 ? '' : `, dimension ${axis + 1}`;
  const given = linesOf(draft.text).length;
  const rename = (name: string) => {
    const known = labels.coords[name.trim()];
    // A dimension shared with other arrays already has labels.
    const text = draft.text.trim() === '' && known !== undefined ? known.join('\n') : draft.text;
    onChange({ name, text });
  };
  return (
    <fieldset className={classes.dimension}>
      <TextInput
        label={`Name of the dimension of ${array.name}${which}`}
        description="Optional, such as school. Variables whose dimensions have the same name share its labels."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.name}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <Textarea
        label={`Labels of ${array.name}${which}, one per line`}
        description={`${given} of ${size} have a label. Others keep their number.`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={given > size ? `There are ${given} lines for ${size} elements.` : undefined}
        autosize
        minRows={4}
        maxRows={12}
        value={draft.text}
        onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
      />
    </fieldset>
  );
}

/** True once the server has stored them. */
function useStoreLabels(experiment: Experiment): (after: DimensionLabels) => Promise<boolean> {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = experiment.short_id;
  const { detail, part } = objectKeys('experiment');
  const before = readLabels(experiment.meta?.labels);
  const store = async (from: DimensionLabels, to: DimensionLabels) => {
    const payload = { object_type: 'experiment', meta: { labels: labelsPatch(from, to) } } as const;
    await client.updateObject({ params: { objid: id }, body: { payload } });
    // Its draws stay valid: only their labels have changed.
    const exact = [detail(id), part(id, ['summary'])];
    await Promise.all(
      exact.map((queryKey) => queryClient.invalidateQueries({ queryKey, exact: true })),
    );
  };
  const action = useAction((_, after: DimensionLabels) => store(before, after), {
    failed: 'Labels not saved',
  });
  return async (after) => {
    const isDone = await action.run(after);
    if (isDone)
      showToast({
        message: 'Labels saved.',
        undo: () => runAction(queryClient, () => store(after, before)),
      });
    return isDone;
  };
}
