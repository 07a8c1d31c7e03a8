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
import { ApiError } from '../../../client/api-error.ts';
import { createClient } from '../../../client/create-client.ts';
import type { Session } from '../../session/session.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './sign-in.module.css';

type Way = 'password' | 'token';

export interface SignInPageProps {
  readonly session: Session;
  /** They were somewhere and their token had ended, or they opened an address while signed out. */
  readonly cameBack: boolean;
  readonly onSignedIn: () => void;
  readonly fetch?: typeof globalThis.fetch;
}

export function SignInPage({ session, cameBack, onSignedIn, fetch }: SignInPageProps) {
  usePageTitle('Sign in');
  const [way, setWay] = useState<Way>('password');
  const [server, setServer] = useState(session.credentials()?.server ?? '');
  const [asksServer, setAsksServer] = useState(server !== '');
  const [username, setUsername] = useState('');
  const [secret, setSecret] = useState('');
  const [stay, setStay] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const address = serverAddress(server);
      const token = await signIn({
        server: address,
        way,
        username: username.trim(),
        secret: way === 'token' ? secret.trim() : secret,
        fetch,
      });
      session.signIn({ server: address, token }, stay);
      onSignedIn();
    } catch (error) {
      setProblem(problemText(ApiError.from(error), way, server.trim()));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className={classes.page}>
      <div className={classes.head}>
        <Logo size={32} />
        <h1>Sign in to Ergodic</h1>
        {cameBack && <p>You will return to where you were.</p>}
      </div>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <SegmentedControl
          fullWidth
          value={way}
          aria-label="Sign-in method"
          onChange={(value) => {
            setWay(value as Way);
            // A password is no token: it must not be sent as one.
            setSecret('');
            setProblem(null);
          }}
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
            value={server}
            onChange={(event) => setServer(event.currentTarget.value)}
          />
        )}
        {way === 'password' && (
          <TextInput
            label="User name"
            autoComplete="username"
            required
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label={way === 'password' ? 'Password' : 'Token'}
          description={way === 'token' ? 'From `ergodic token` or the Account page.' : undefined}
          autoComplete={way === 'password' ? 'current-password' : 'off'}
          required
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <Checkbox
          label="Stay signed in on this computer"
          checked={stay}
          onChange={(event) => setStay(event.currentTarget.checked)}
        />
        {problem !== null && <Problem>{problem}</Problem>}
        <Button type="submit" loading={busy} fullWidth>
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
      </form>
    </main>
  );
}

/**
 * Address of the server without a trailing slash; empty = the one of this page. A bare host is taken as https, so that
 * a password never goes in the clear by an oversight. Throws `ApiError` for what is no address.
 */
export function serverAddress(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  const address = text.includes('://') ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ApiError('schema', 'That is not the address of a server.');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

interface SignInInput {
  readonly server: string;
  readonly way: Way;
  readonly username: string;
  readonly secret: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** Gives a token that the server has just accepted. Throws `ApiError`. */
async function signIn({ server, way, username, secret, fetch }: SignInInput): Promise<string> {
  const connection = { baseUrl: server, ...(fetch === undefined ? {} : { fetch }) };
  if (way === 'password') {
    const answer = await createClient(connection).login({ body: { username, password: secret } });
    const [token] = answer.tokens;
    if (token === undefined)
      throw new ApiError('schema', 'The server accepted the password but gave no token.');
    return token;
  }
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw new ApiError(
      'schema',
      'That is not a token: tokens contain only letters, digits and symbols.',
    );
  const client = createClient({ ...connection, token: secret });
  try {
    await client.viewUser();
  } catch (error) {
    const apiError = ApiError.from(error);
    // A documented server has no view of the user: a list it answers shows the token as well.
    const isMissing = apiError.kind === 'schema' || apiError.kind === 'http';
    if (!isMissing || apiError.status >= 500 || apiError.code === 'UNAUTHORIZED') throw apiError;
    await client.listObjects({ query: { object_type: 'model', page_size: 1 } });
  }
  return secret;
}

function problemText(error: ApiError, way: Way, server: string): string {
  if (error.code === 'UNAUTHORIZED')
    return 'The server does not know this token, or it has expired.';
  if (error.code === 'PERMISSION_DENIED')
    return way === 'password' ? 'Wrong user name or password.' : error.message;
  if (way === 'password' && (error.code === 'NOT_FOUND' || error.status === 404)) {
    return 'This server does not accept passwords. Sign in with a token.';
  }
  if (error.code === 'RATE_LIMITED') {
    return `Too many tries. Wait ${error.retryAfterSeconds ?? 'a few'} seconds, then try again.`;
  }
  if (error.kind === 'network') {
    return server === ''
      ? 'The server cannot be reached. Is it running?'
      : 'That server cannot be reached, or it does not allow pages from this address.';
  }
  return error.message;
}
