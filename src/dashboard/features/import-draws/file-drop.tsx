/** The area where files are dropped or chosen. */
import { Button } from '@mantine/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { FileInput } from '../../ui/file-input.tsx';
import classes from './import-draws.module.css';

export interface FileDropProps {
  /** File types the dialog offers first: `.csv,.nc`; empty: all. */
  readonly suffixes: string;
  readonly isDisabled: boolean;
  readonly onPick: (files: readonly File[]) => void;
  /** What may be dropped here. */
  readonly children: ReactNode;
}

export function FileDrop({ suffixes, isDisabled, onPick, children }: FileDropProps) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(!isDisabled);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    if (!isDisabled && files.length > 0) onPick(files);
  };
  return (
    // the button inside does the same by keyboard
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <p>{children}</p>
      <p>
        Drop files here, or{' '}
        <Button size="compact-sm" disabled={isDisabled} onClick={() => input.current?.click()}>
          Choose files
        </Button>
      </p>
      <FileInput
        label="Draws files"
        inputRef={input}
        what="files"
        accept={suffixes === '' ? undefined : `${suffixes},.nc4,.h5,.tar,.gz`}
        onPick={onPick}
      />
    </div>
  );
}
