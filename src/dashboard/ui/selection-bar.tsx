/** The floating bar over a list while rows are selected. A separate chunk: most lists are only read. */
import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from './numbers.ts';
import classes from './selection-bar.module.css';

export interface SelectionBarProps {
  readonly count: number;
  /** Rows of the list on all its pages. */
  readonly total: number | undefined;
  /** Selects all of them; undefined if that is not offered. */
  readonly onAll: (() => Promise<void>) | undefined;
  readonly children: ReactNode;
  readonly onClear: () => void;
}

export function SelectionBar({ count, total, onAll, children, onClear }: SelectionBarProps) {
  const [isLoading, setLoading] = useState(false);
  const selectAll = async () => {
    setLoading(true);
    await onAll?.();
    setLoading(false);
  };
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selection">
      <span className={classes.count} role="status">
        {formatCount(count)} selected
      </span>
      {onAll !== undefined && (
        <Button size="xs" variant="subtle" loading={isLoading} onClick={() => void selectAll()}>
          Select all {formatCount(total)}
        </Button>
      )}
      {children}
      <span className={classes.rule} />
      <ActionIcon size={28} aria-label="Clear the selection" onClick={onClear}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}
