/** An active filter: its label, and an x that removes it. */
import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './chip.module.css';

export function FilterChip({ children, onRemove }: { children: ReactNode; onRemove: () => void }) {
  return (
    <UnstyledButton className={classes.chip} title="Remove this filter" onClick={onRemove}>
      {children}
      <IconX size={14} aria-hidden="true" />
    </UnstyledButton>
  );
}
