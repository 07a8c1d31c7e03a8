/** The chosen files: name, size, what they look like, what is wrong with them. */
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { formatBytes } from '../../ui/numbers.ts';
import { Problem } from '../../ui/problem.tsx';
import classes from './import-draws.module.css';
import { type PickedFile, typeNames } from './picked-files.ts';

export interface PickedListProps {
  readonly files: readonly PickedFile[];
  readonly isDisabled: boolean;
  /** What the server found wrong, and with which of them. */
  readonly problem: { readonly index: number; readonly message: string };
  readonly onRemove: (key: number) => void;
}

export function PickedList({ files, isDisabled, problem, onRemove }: PickedListProps) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Chosen files">
      {files.map((file, index) => {
        const wrong = file.problem ?? (index === problem.index ? problem.message : null);
        return (
          <li key={file.key}>
            <div>
              <span className={classes.name}>{file.name}</span>
              <span className={classes.dim}>
                {formatBytes(file.bytes.length)}
                {file.type !== null && ` · ${typeNames[file.type]}`}
              </span>
              {wrong !== null && <Problem>{wrong}</Problem>}
            </div>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={isDisabled}
              aria-label={`Leave out ${file.name}`}
              onClick={() => onRemove(file.key)}
            >
              <IconX size={16} />
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}
