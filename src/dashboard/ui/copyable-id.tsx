/** An id that copies itself on click. */
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './copyable-id.module.css';
import { useCopy } from './use-copy.ts';

export function CopyableId({ id }: { id: string }) {
  const { state, copy } = useCopy(id);
  return (
    <UnstyledButton
      className={classes.id}
      onClick={copy}
      aria-label={state === 'idle' ? `Copy id ${id}` : state === 'copied' ? 'Copied' : 'Not copied'}
    >
      <code>{id}</code>
      {state === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </UnstyledButton>
  );
}
