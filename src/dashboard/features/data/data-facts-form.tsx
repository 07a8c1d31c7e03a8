/** Name and description of a data object, changed in place. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
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
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isChanged = name.trim() !== facts.name || description !== facts.description;
  const save = async () => {
    setIsSaving(true);
    setProblem(null);
    try {
      await onSave({ name: name.trim(), description });
      onClose();
    } catch (error) {
      setProblem(ApiError.from(error).message);
      setIsSaving(false);
    }
  };
  return (
    <form
      className={classes.facts}
      aria-label="Name and description"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
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
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          Not saved: {problem}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isSaving} disabled={!isChanged || name.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  );
}
