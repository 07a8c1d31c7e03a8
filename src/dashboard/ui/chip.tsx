/** A filter that is set: its label, and an x that takes it away. */
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
