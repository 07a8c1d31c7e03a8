/** Nothing matches the filter, which is not the same as an empty list. */
import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import classes from './filtered-empty.module.css';

export function FilteredEmpty({ children, onClear }: { children: ReactNode; onClear: () => void }) {
  return (
    <Card as="div" className={classes.card} role="status">
      <IconFilterOff size={18} aria-hidden="true" />
      <div>
        <h2>Nothing matches the filter</h2>
        <p>{children}</p>
        <Button size="xs" onClick={onClear}>
          Clear the filter
        </Button>
      </div>
    </Card>
  );
}
