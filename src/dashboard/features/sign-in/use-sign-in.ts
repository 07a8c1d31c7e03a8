/** The content of the sign-in form, and sending it. */
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Session } from '../../session/session.ts';
import { problemText, serverAddress, signIn, type Way } from './sign-in.ts';

export interface SignInOptions {
  readonly session: Session;
  readonly onSignedIn: () => void;
  readonly fetch?: typeof globalThis.fetch;
  readonly firstWay?: Way;
}

export function useSignIn({ session, onSignedIn, fetch, firstWay = 'password' }: SignInOptions) {
  const [fields, setFields] = useState({
    way: firstWay,
    server: session.credentials()?.server ?? '',
    username: '',
    secret: '',
    stay: false,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const change = (part: Partial<typeof fields>) => setFields((before) => ({ ...before, ...part }));
  const { way, server, username, secret, stay } = fields;

  const submit = async () => {
    setIsBusy(true);
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
      setIsBusy(false);
    }
  };
  const changeWay = (next: Way) => {
    // A password is not a token: it must not be sent as one.
    change({ way: next, secret: '' });
    setProblem(null);
  };
  return { fields, change, changeWay, problem, isBusy, submit };
}
