/** A copy of a model with another runtime, which cannot be changed after creation. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { expectKind } from '../../../client/expect-kind.ts';
import { type Model, modelEnvs } from '../../../contract/model.ts';
import { type FileTree, toContent } from '../../editor/file-tree.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './model-page.module.css';
import { ProcessesBox, type RuntimeChoice, RuntimeSelect } from './runtime-fields.tsx';

export interface DuplicateFormProps {
  readonly model: Model;
  /** The files as shown on the screen, including edits. */
  readonly tree: FileTree;
  readonly onOpenModel: (modelId: string) => void;
}

export function DuplicateForm({ model, tree, onOpenModel }: DuplicateFormProps) {
  const [name, setName] = useState(`${model.name || model.short_id} (copy)`);
  const [choice, setChoice] = useState<RuntimeChoice>(() => runtimeOf(model));
  const set = (change: Partial<RuntimeChoice>) => setChoice({ ...choice, ...change });
  const { run, isBusy, problem } = useAction(
    async (client) => {
      const payload = duplicatePayload({ ...model, name: name.trim() }, tree, choice);
      return expectKind(await client.createObject({ body: { payload } }), 'model');
    },
    { changes: [objectKeys('model').lists], onDone: (made) => onOpenModel(made.short_id) },
  );
  return (
    <Form className={classes.infoPart} aria-label="Duplicate with another runtime" onSubmit={run}>
      <h2>Duplicate with another runtime</h2>
      <p className={classes.missing}>
        Runtime and processes are set when a model is created and cannot be changed afterwards. A
        copy with the same files can have different ones; this model remains unchanged.
      </p>
      <TextInput
        label="Name of the copy"
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RuntimeSelect choice={choice} onChange={set} />
      <ProcessesBox choice={choice} onChange={set} />
      {problem !== null && <Problem>Not duplicated: {problem}</Problem>}
      <div className={classes.infoButtons}>
        <Button type="submit" disabled={name.trim() === ''} loading={isBusy}>
          Duplicate
        </Button>
      </div>
    </Form>
  );
}

/** As in the model; an unknown runtime is left to be inferred from the files. */
function runtimeOf({ env, single_instance: singleInstance = true }: Model): RuntimeChoice {
  const isKnown = modelEnvs.some((known) => known === env);
  return { env: isKnown ? (env ?? '') : '', singleInstance };
}

function duplicatePayload(model: Model, tree: FileTree, { env, singleInstance }: RuntimeChoice) {
  return {
    object_type: 'model' as const,
    name: model.name,
    ...(model.description ? { description: model.description } : {}),
    tags: [...model.tags],
    content: toContent(tree),
    entrance_file: tree.meta?.entrance_file ?? '',
    ...(env === '' ? {} : { env }),
    single_instance: singleInstance,
  };
}
