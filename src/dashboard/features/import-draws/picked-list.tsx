/** The chosen files: name, size, apparent format, and what is wrong with them. */
import { ActionIcon, Progress } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { formatBytesOf } from '../../../shared/byte-counts.ts';
import { formatBytes } from '../../ui/numbers.ts';
import { Problem } from '../../ui/problem.tsx';
import classes from './import-draws.module.css';
import { type PickedFile, typeText } from './picked-files.ts';

export interface PickedListProps {
  readonly files: readonly PickedFile[];
  readonly isDisabled: boolean;
  /** What the server found wrong, and in which of them. */
  readonly problem: { readonly index: number; readonly message: string };
  /** Bytes that were uploaded, by file; null: they are not sent piece by piece. */
  readonly sent: ReadonlyMap<number, number> | null;
  readonly onRemove: (key: number) => void;
}

export function PickedList(props: PickedListProps) {
  const { files, isDisabled, problem, sent, onRemove } = props;
  if (files.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Chosen files">
      {files.map((file, index) => {
        const wrong = file.problem ?? (index === problem.index ? problem.message : null);
        return (
          <li key={file.key}>
            <div className={classes.file}>
              <span className={classes.name}>{file.name}</span>
              <span className={classes.dim}>
                {sent === null
                  ? formatBytes(file.size)
                  : formatBytesOf(sent.get(file.key) ?? 0, file.size)}
                {typeText(file) !== '' && ` · ${typeText(file)}`}
              </span>
              {sent !== null && (
                <Progress
                  className={classes.bar}
                  size="xs"
                  value={(100 * (sent.get(file.key) ?? 0)) / file.size}
                  aria-label={`${file.name} uploaded`}
                />
              )}
              {wrong !== null && <Problem>{wrong}</Problem>}
            </div>
            <ActionIcon
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
