/** Setting or changing the password. */
import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { minPasswordLength } from '../../../contract/account.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './account-page.module.css';

export function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const tooShort = next !== '' && next.length < minPasswordLength;
  const { run, problem } = useAction(
    (client) => client.updateUser({ body: { password: current, new_password: next } }),
    {
      changes: [accountKeys.user],
      onDone: () => {
        setCurrent('');
        setNext('');
        showToast({ message: 'Password changed. All other sessions were signed out.' });
      },
    },
  );
  return (
    <Card padded>
      <h2>{hasPassword ? 'Change password' : 'Set a password'}</h2>
      {!hasPassword && (
        <p className={classes.dim}>
          You currently sign in with the link that the server prints. With a password you can sign
          in from anywhere.
        </p>
      )}
      <Form className={classes.form} onSubmit={run}>
        {hasPassword && (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            error={problem}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          description={`At least ${minPasswordLength} characters.`}
          value={next}
          error={
            tooShort
              ? `At least ${minPasswordLength} characters; this has ${next.length}.`
              : hasPassword
                ? undefined
                : problem
          }
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <Button
          type="submit"
          disabled={next.length < minPasswordLength || (hasPassword && current === '')}
        >
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </Form>
    </Card>
  );
}
