/** The account of the identity provider that signs in to this one, and linking it. */
import { Button } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { goToProvider } from '../../session/provider-sign-in.ts';
import { Card } from '../../ui/card.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Problem } from '../../ui/problem.tsx';
import classes from './account-page.module.css';

export function linkedQueryOptions(client: Client) {
  return queryOptions({
    queryKey: accountKeys.linked,
    queryFn: ({ signal }) => client.listLinkedAccounts({ signal }),
  });
}

export interface ProviderSectionProps {
  readonly provider: string;
  /** The user's name at the provider; none: not linked. */
  readonly linked: readonly string[];
  /** The account was created by signing in there. */
  readonly isProvided: boolean;
}

export function ProviderSection({ provider, linked, isProvided }: ProviderSectionProps) {
  const client = useClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const link = async () => {
    setLeaving(true);
    try {
      await goToProvider(client.beginLink(), '/account');
    } catch (error) {
      setProblem(ApiError.from(error).message);
      setLeaving(false);
    }
  };
  return (
    <Card padded>
      <h2>
        Single sign-on <HelpLink topic="single-sign-on" of="single sign-on" />
      </h2>
      {linked.length > 0 && (
        <p className={classes.dim}>
          {provider} signs you in as {linked.join(', ')}.
          {isProvided &&
            ' Your name and your rights come from there, and there is no password here.'}
        </p>
      )}
      {linked.length === 0 && (
        <>
          <p className={classes.dim}>
            Link this account to yours at {provider}, and you can sign in either way.
          </p>
          {problem !== null && <Problem gap="above">{problem}</Problem>}
          <p className={classes.made}>
            <Button loading={isLeaving} onClick={() => void link()}>
              Link account of {provider}
            </Button>
          </p>
        </>
      )}
    </Card>
  );
}
