/** A new workflow: its model, data, settings and analysis in one dialog. */
import { Modal, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import { choicesQueryOptions } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions, SubmitButtons } from '../../ui/form-actions.tsx';
import { Note } from '../../ui/note.tsx';
import { Problem } from '../../ui/problem.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { AnalyzerPanel, DataSelect } from './part-panels.tsx';
import { SamplingPanel } from './sampling-panel.tsx';
import { emptyParts, type WorkflowParts } from './use-workflow.ts';
import classes from './workflows.module.css';

export interface NewWorkflowProps {
  readonly onMade: (workflowId: string) => void;
  readonly onClose: () => void;
}

interface Draft extends WorkflowParts {
  readonly name: string;
  readonly model_id: string;
}

function NewPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.newPart} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

export function NewWorkflow({ onMade, onClose }: NewWorkflowProps) {
  useReturnFocus();
  const client = useClient();
  const models = useQuery(choicesQueryOptions(client, 'model'));
  const [draft, setDraft] = useState<Draft>({ ...emptyParts, name: '', model_id: '' });
  const edit = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const modelName = models.data?.find(({ short_id }) => short_id === draft.model_id)?.name ?? '';
  // What was created before one of its parts was refused: the next try updates it.
  const made = useRef('');
  const make = useAction(
    async (sender) => {
      const name = draft.name.trim() || modelName;
      await storeWorkflow(sender, { ...draft, name }, made);
      return made.current;
    },
    { changes: [objectKeys('workflow').lists], onDone: onMade },
  );
  return (
    <Modal opened onClose={onClose} size={720} title="New workflow">
      <Form className={classes.newForm} onSubmit={make.run}>
        <Select
          label="Model"
          placeholder="Choose a model"
          description="A workflow keeps its model; the rest, scripts included, can be changed later."
          searchable
          required
          allowDeselect={false}
          nothingFoundMessage="No model with this name"
          data={(models.data ?? []).map(({ short_id, name }) => ({
            value: short_id,
            label: name || short_id,
          }))}
          value={draft.model_id || null}
          onChange={(value) => {
            // A workflow's model is fixed: with another model the next try creates another workflow.
            made.current = '';
            edit({ model_id: value ?? '' });
          }}
        />
        {models.isError && <QueryProblem query={models} what="The list of models" />}
        <TextInput
          label="Name"
          placeholder={modelName || 'Name of the model'}
          maxLength={255}
          value={draft.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
        <DataSelect dataId={draft.data_id} dataName="" onData={(data_id) => edit({ data_id })} />
        <NewPart title="Settings">
          <SamplingPanel
            modelId={draft.model_id}
            text={draft.settings}
            onChange={(settings) => edit({ settings })}
          />
        </NewPart>
        <NewPart title="Analysis">
          <AnalyzerPanel
            analyzerId={draft.analyzer_id}
            analyzerName=""
            onAnalyzer={(analyzer_id) => edit({ analyzer_id })}
          />
        </NewPart>
        {make.problem !== null && <Problem>{make.problem}</Problem>}
        {draft.model_id === '' && <Note small>Choose a model to create the workflow.</Note>}
        <FormActions end>
          <SubmitButtons onCancel={onClose} loading={make.isBusy} disabled={draft.model_id === ''}>
            Create workflow
          </SubmitButtons>
        </FormActions>
      </Form>
    </Modal>
  );
}

/** Creates it, then sends the parts that only an update can set. `made`: the id from an earlier try, or this one. */
async function storeWorkflow(
  client: Client,
  { name, model_id, ...parts }: Draft,
  made: { current: string },
): Promise<void> {
  const { data_id } = parts;
  if (made.current === '') {
    const answer = await client.createObject({
      body: { payload: { object_type: 'workflow', name: name.slice(0, 255), model_id, data_id } },
    });
    made.current = expectKind(answer, 'workflow').short_id;
  }
  const sent = Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ''));
  if (Object.keys(sent).length > 0)
    await client.updateObject({
      params: { objid: made.current },
      body: { payload: { object_type: 'workflow', name, ...sent } },
    });
}
