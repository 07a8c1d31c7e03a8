/** Signing in with this server's identity provider: going there, and handling the way back. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { SignInWays } from '../../../contract/single-sign-on.ts';
import { configQueryOptions } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { hasReturned } from '../../session/provider-return.ts';
import { goToProvider, takeReturned } from '../../session/provider-sign-in.ts';
import type { Session } from '../../session/session.ts';

/** Milliseconds between two checks whether the provider answers again. */
const RECHECK_MS = 6000;

const withoutProvider: SignInWays = { provider: null, passwords: true, problem: null };

export interface ProviderSignInOptions {
  readonly session: Session;
  /** The page the user wanted. */
  readonly target: string;
  readonly onDone: (target: string) => void;
}

export function useProviderSignIn({ session, target, onDone }: ProviderSignInOptions) {
  const client = useClient();
  const config = useQuery({
    ...configQueryOptions(client),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.sign_in?.problem ? RECHECK_MS : false),
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [isReturning, setReturning] = useState(hasReturned);
  const [isLeaving, setLeaving] = useState(false);

  const begin = async () => {
    setLeaving(true);
    setProblem(null);
    try {
      await goToProvider(client.beginSignIn(), target);
    } catch (error) {
      setProblem(ApiError.from(error).message);
      setLeaving(false);
    }
  };
  // the provider's answer is used once, however often the page renders
  const isFinished = useRef(false);
  useEffect(() => {
    if (isFinished.current) return;
    isFinished.current = true;
    const returned = takeReturned();
    if (returned === null) return;
    const body = { browser_key: returned.browserKey, query: returned.query };
    client.finishSignIn({ body }).then(
      ({ tokens: [token] }) => {
        if (token !== undefined) session.signIn({ server: '', token }, false);
        onDone(returned.redirect);
      },
      (error: unknown) => {
        setProblem(ApiError.from(error).message);
        setReturning(false);
      },
    );
  });
  return {
    ways: config.data?.sign_in ?? withoutProvider,
    isKnown: !config.isPending,
    problem,
    isReturning,
    isLeaving,
    begin,
  };
}
