/** User name and password, or a pasted token; for this server or another by its address. */
import {
  Anchor,
  Button,
  Checkbox,
  PasswordInput,
  SegmentedControl,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './sign-in.module.css';
import type { Way } from './sign-in.ts';
import { type SignInOptions, useSignIn } from './use-sign-in.ts';

export interface LocalFormProps extends SignInOptions {
  /** There is no other way to sign in above it. */
  readonly isFirst: boolean;
  /** False: tokens only. */
  readonly hasPasswords: boolean;
}

export function LocalForm({ isFirst, hasPasswords, ...options }: LocalFormProps) {
  const { fields, change, changeWay, problem, isBusy, submit } = useSignIn({
    ...options,
    firstWay: hasPasswords ? 'password' : 'token',
  });
  const [asksServer, setAsksServer] = useState(fields.server !== '');
  return (
    <Form className={classes.form} onSubmit={submit}>
      {hasPasswords && (
        <SegmentedControl
          fullWidth
          value={fields.way}
          aria-label="Sign-in method"
          onChange={(value) => changeWay(value as Way)}
          data={[
            { value: 'password', label: 'Password' },
            { value: 'token', label: 'Token' },
          ]}
        />
      )}
      {asksServer && (
        <TextInput
          label="Server"
          placeholder="https://ergodic.example.org"
          description="Leave empty for the server of this page."
          value={fields.server}
          onChange={(event) => change({ server: event.currentTarget.value })}
        />
      )}
      <SecretFields fields={fields} onChange={change} />
      {problem !== null && <Problem>{problem}</Problem>}
      <Button type="submit" variant={isFirst ? 'filled' : 'default'} loading={isBusy} fullWidth>
        Sign in
      </Button>
      <p className={classes.foot}>
        {!asksServer && (
          <Anchor component="button" type="button" size="sm" onClick={() => setAsksServer(true)}>
            Another server
          </Anchor>
        )}
        {hasPasswords && (
          <span>
            Forgotten? On the server, run <code>ergodic user passwd</code>.
          </span>
        )}
      </p>
    </Form>
  );
}

interface SecretFieldsProps {
  readonly fields: ReturnType<typeof useSignIn>['fields'];
  readonly onChange: ReturnType<typeof useSignIn>['change'];
}

function SecretFields({ fields: { way, username, secret, stay }, onChange }: SecretFieldsProps) {
  return (
    <>
      {way === 'password' && (
        <TextInput
          label="User name"
          autoComplete="username"
          required
          value={username}
          onChange={(event) => onChange({ username: event.currentTarget.value })}
        />
      )}
      <PasswordInput
        label={way === 'password' ? 'Password' : 'Token'}
        description={way === 'token' ? 'From `ergodic token` or the Account page.' : undefined}
        autoComplete={way === 'password' ? 'current-password' : 'off'}
        required
        value={secret}
        onChange={(event) => onChange({ secret: event.currentTarget.value })}
      />
      <Checkbox
        label="Stay signed in on this computer"
        checked={stay}
        onChange={(event) => onChange({ stay: event.currentTarget.checked })}
      />
    </>
  );
}
