/** A name being typed in the tree: Enter accepts it, Escape cancels, errors appear below. */
import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

export interface NameInputProps {
  readonly label: string;
  readonly initial: string;
  readonly problemOf: (name: string) => string | null;
  /** Null: cancelled. */
  readonly onDone: (name: string | null) => void;
}

export function NameInput({ label, initial, problemOf, onDone }: NameInputProps) {
  const [name, setName] = useState(initial);
  const isDone = useRef(false);
  const problem = name === initial ? null : problemOf(name);
  const finish = (taken: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(taken);
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      autoFocus
      spellCheck={false}
      autoComplete="off"
      value={name}
      error={problem}
      onFocus={(event) => {
        const dot = initial.lastIndexOf('.');
        event.currentTarget.setSelectionRange(0, dot > 0 ? dot : initial.length);
      }}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => finish(name === initial || problem !== null ? null : name)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') finish(null);
        if (event.key === 'Enter' && problem === null) finish(name === initial ? null : name);
      }}
    />
  );
}
