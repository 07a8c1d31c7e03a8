/** Setting or changing the password. */
import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { minPasswordLength } from '../../../contract/account.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { showToast } from '../../ui/toasts.tsx';
import classes from './account-page.module.css';

export function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const tooShort = next !== '' && next.length < minPasswordLength;
  const submit = async () => {
    try {
      await client.updateUser({ body: { password: current, new_password: next } });
      setCurrent('');
      setNext('');
      setProblem(null);
      await queryClient.invalidateQueries({ queryKey: accountKeys.user });
      showToast({ message: 'Password changed. Other sign-ins have ended.' });
    } catch (error) {
      setProblem(ApiError.from(error).message);
    }
  };
  return (
    <section className={classes.card}>
      <h2>{hasPassword ? 'Change password' : 'Set a password'}</h2>
      {!hasPassword && (
        <p className={classes.dim}>
          So far you sign in by the link that the server prints. A password lets you in from
          anywhere.
        </p>
      )}
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
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
          variant="default"
          disabled={next.length < minPasswordLength || (hasPassword && current === '')}
        >
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </form>
    </section>
  );
}
