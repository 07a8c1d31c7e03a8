/** A line to copy: it selects itself and has a copy button. */
import { TextInput } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';

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
      rightSection={<CopyButton text={value} variant="subtle" />}
    />
  );
}
