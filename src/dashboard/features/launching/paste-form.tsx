/** Data as pasted text: JSON, an R dump, or cells of a spreadsheet. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseDataJson } from '../../../formats/data-json.ts';
import { Form } from '../../ui/form.tsx';
import type { GivenFile } from '../mapper/mapping-call.ts';
import classes from './data-source.module.css';

export interface PasteFormProps {
  readonly isSending: boolean;
  readonly onSave: (given: GivenFile) => void;
}

export function PasteForm({ isSending, onSave }: PasteFormProps) {
  const [name, setName] = useState('pasted');
  const [text, setText] = useState('');
  const parsed = /^\s*[[{]/.test(text) ? parseDataJson(text) : null;
  const problem =
    parsed?.ok === false
      ? `Line ${parsed.error.line}, column ${parsed.error.column}: ${parsed.error.message}`
      : null;
  return (
    <Form
      className={classes.paste}
      onSubmit={() => onSave({ name: name.trim(), bytes: new TextEncoder().encode(text) })}
    >
      <Textarea
        autoFocus
        label="Text"
        description="JSON, an R dump, or cells with their header copied from a spreadsheet."
        placeholder='{"N": 3, "y": [1.2, 0.4, 2.2]}'
        autosize
        minRows={5}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        loading={isSending}
        disabled={text.trim() === '' || problem !== null || name.trim() === ''}
      >
        Save as data
      </Button>
    </Form>
  );
}
