/** Where files are dropped or chosen. */
import { Button } from '@mantine/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import classes from './import-draws.module.css';

export interface FileDropProps {
  /** What the file dialog offers first: `.csv,.nc`; empty: everything. */
  readonly suffixes: string;
  readonly isDisabled: boolean;
  readonly onPick: (files: File[]) => void;
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard
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
        <Button
          variant="default"
          size="compact-sm"
          disabled={isDisabled}
          onClick={() => input.current?.click()}
        >
          Choose files
        </Button>
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={suffixes === '' ? undefined : `${suffixes},.nc4,.h5,.tar,.gz`}
        aria-label="Files of draws"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onPick(files);
        }}
      />
    </div>
  );
}
