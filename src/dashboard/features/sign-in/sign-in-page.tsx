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
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { Card } from '../../ui/card.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './sign-in.module.css';
import type { Way } from './sign-in.ts';
import { type SignInOptions, useSignIn } from './use-sign-in.ts';

export interface SignInPageProps extends SignInOptions {
  /** They were somewhere and their token had ended, or they opened an address while signed out. */
  readonly cameBack: boolean;
}

export function SignInPage({ cameBack, ...options }: SignInPageProps) {
  usePageTitle('Sign in');
  const { fields, change, changeWay, problem, isBusy, submit } = useSignIn(options);
  const [asksServer, setAsksServer] = useState(fields.server !== '');
  return (
    <main className={classes.page}>
      <div className={classes.head}>
        <Logo size={32} />
        <h1>Sign in to Ergodic</h1>
        {cameBack && <p>You will return to where you were.</p>}
      </div>
      <Card
        as="form"
        padded
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
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
        <Button type="submit" loading={isBusy} fullWidth>
          Sign in
        </Button>
        <p className={classes.foot}>
          {!asksServer && (
            <Anchor component="button" type="button" size="sm" onClick={() => setAsksServer(true)}>
              Another server
            </Anchor>
          )}
          <span>
            Forgotten? On the server, run <code>ergodic user passwd</code>.
          </span>
        </p>
      </Card>
    </main>
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
