/** The password of a share, visible while it is chosen, with a generated one available. */
import { TextInput } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { makePassword } from './make-password.ts';
import classes from './sharing.module.css';

export interface PasswordFieldProps {
  readonly label: string;
  readonly description: string;
  readonly password: string;
  readonly onChange: (password: string) => void;
}

export function PasswordField({ label, description, password, onChange }: PasswordFieldProps) {
  return (
    <TextInput
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={password}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      rightSection={
        <button
          type="button"
          className={classes.inField}
          aria-label="Generate another password"
          onClick={() => onChange(makePassword())}
        >
          <IconRefresh size={16} />
        </button>
      }
    />
  );
}
