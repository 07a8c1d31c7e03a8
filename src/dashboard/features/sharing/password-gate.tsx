/** Asks for the password of a snapshot, and says calmly if it is wrong. */
import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { Form } from '../../ui/form.tsx';
import classes from './sharing.module.css';

export interface PasswordGateProps {
  /** Why the last attempt did not open it; null before the first. */
  readonly refusal: string | null;
  readonly isTrying: boolean;
  readonly onSubmit: (password: string, remember: boolean) => void;
}

export function PasswordGate({ refusal, isTrying, onSubmit }: PasswordGateProps) {
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  return (
    <section className={classes.gate}>
      <span className={classes.gateIcon}>
        <IconLock size={22} aria-hidden="true" />
      </span>
      <h1>This snapshot is protected by a password</h1>
      <p>Enter the password you were sent.</p>
      <Form
        onSubmit={() => {
          if (password !== '') onSubmit(password, remember);
        }}
      >
        <PasswordInput
          label="Password"
          size="md"
          autoFocus
          autoComplete="off"
          value={password}
          error={refusal}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Checkbox
          mt={16}
          mb={16}
          label="Remember until this tab closes"
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        <Button
          variant="filled"
          type="submit"
          size="md"
          fullWidth
          loading={isTrying}
          disabled={password === ''}
        >
          Open snapshot
        </Button>
      </Form>
      <p className={classes.gateFoot}>The password is never put in the address.</p>
    </section>
  );
}
