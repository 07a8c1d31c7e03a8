/** A button that copies a text and confirms it. */
import { Button, type ButtonProps } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useCopy } from './use-copy.ts';

export interface CopyButtonProps extends ButtonProps {
  readonly text: string;
  readonly label?: string;
  /** Completes the label for people who cannot see its position: "Copy settings". */
  readonly what?: string;
}

export function CopyButton({ text, label = 'Copy', what = '', ...props }: CopyButtonProps) {
  const { state, copy } = useCopy(text);
  const shown = state === 'copied' ? 'Copied' : state === 'failed' ? 'Not copied' : label;
  return (
    <Button
      size="xs"
      leftSection={<IconCopy size={14} />}
      {...props}
      aria-label={state === 'idle' && what !== '' ? `${label} ${what}` : shown}
      title={state === 'failed' ? 'The browser blocked it. Select the text and copy it.' : ''}
      onClick={copy}
    >
      {shown}
    </Button>
  );
}
