/** Name and description of a data object, edited in place. */
import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../objects/use-action.ts';
import { Form } from '../../ui/form.tsx';
import { FormActions, SubmitButtons } from '../../ui/form-actions.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './data.module.css';

export interface DataFacts {
  readonly name: string;
  readonly description: string;
}

export interface DataFactsFormProps {
  readonly facts: DataFacts;
  readonly onSave: (facts: DataFacts) => Promise<void>;
  readonly onClose: () => void;
}

export function DataFactsForm({ facts, onSave, onClose }: DataFactsFormProps) {
  const [name, setName] = useState(facts.name);
  const [description, setDescription] = useState(facts.description);
  const isChanged = name.trim() !== facts.name || description !== facts.description;
  const { run, isBusy, problem } = useAction(() => onSave({ name: name.trim(), description }), {
    onDone: onClose,
  });
  return (
    <Form
      className={classes.facts}
      aria-label="Name and description"
      onSubmit={run}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <TextInput
        label="Name"
        required
        autoFocus
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={2048}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {problem !== null && <Problem gap="around">Not saved: {problem}</Problem>}
      <FormActions end tight>
        <SubmitButtons
          onCancel={onClose}
          loading={isBusy}
          disabled={!isChanged || name.trim() === ''}
        >
          Save
        </SubmitButtons>
      </FormActions>
    </Form>
  );
}
