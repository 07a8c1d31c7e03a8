/** The name of an object, edited in its title: Enter or leaving the field renames, Escape cancels. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';

export interface NameFieldProps {
  readonly label: string;
  readonly name: string;
  /** With another name that is not empty. */
  readonly onRename: (name: string) => unknown;
  readonly onDone: () => void;
}

export function NameField({ label, name, onRename, onDone }: NameFieldProps) {
  const [text, setText] = useState(name);
  const finish = () => {
    onDone();
    const next = text.trim();
    if (next !== '' && next !== name) onRename(next);
  };
  return (
    <TextInput
      aria-label={label}
      autoFocus
      maxLength={255}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') onDone();
      }}
    />
  );
}
