/** The name of a run, edited in place. */
import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import classes from './run-title.module.css';

export interface RunTitleProps {
  readonly name: string;
  readonly isEdited: boolean;
  /** True once the server has stored the name. */
  readonly onRename: (name: string) => Promise<boolean>;
  readonly onClose: () => void;
}

export function RunTitle({ name, isEdited, onRename, onClose }: RunTitleProps) {
  return isEdited ? <NameField name={name} onRename={onRename} onClose={onClose} /> : name;
}

/** Enter or leaving the field renames, Escape cancels. */
function NameField({ name, onRename, onClose }: Omit<RunTitleProps, 'isEdited'>) {
  const [text, setText] = useState(name);
  const [isBusy, setBusy] = useState(false);
  const isDone = useRef(false);
  const isEmpty = text.trim() === '';
  const leave = () => {
    isDone.current = true;
    onClose();
  };
  const save = () => {
    if (isDone.current || isBusy || isEmpty) return;
    if (text.trim() === name) return leave();
    setBusy(true);
    void onRename(text.trim()).then((isSaved) => {
      setBusy(false);
      if (isSaved) leave();
    });
  };
  return (
    <TextInput
      className={classes.name}
      aria-label="Name of the experiment"
      value={text}
      maxLength={255}
      autoFocus
      disabled={isBusy}
      error={isEmpty ? 'Enter a name.' : undefined}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
        if (key === 'Escape') leave();
      }}
      onBlur={save}
    />
  );
}
