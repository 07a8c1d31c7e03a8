/** A line to copy: it selects itself and has its button. */
import { Button, CopyButton, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';

export function CopyLine({
  label,
  value,
  autoFocus,
}: {
  label: string;
  value: string;
  autoFocus?: boolean;
}) {
  return (
    <TextInput
      mt={12}
      label={label}
      value={value}
      readOnly
      autoFocus={autoFocus}
      onFocus={(event) => event.currentTarget.select()}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', paddingRight: 84 } }}
      rightSectionWidth={80}
      rightSection={
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconCopy size={14} stroke={1.6} />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      }
    />
  );
}
