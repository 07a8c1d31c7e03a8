/** The identity provider if there is one; user name and password, or a token, for this server or another. */
import { Anchor, Button, Divider } from '@mantine/core';
import { useState } from 'react';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { Card } from '../../ui/card.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Problem } from '../../ui/problem.tsx';
import { LocalForm } from './local-form.tsx';
import classes from './sign-in.module.css';
import { useProviderSignIn } from './use-provider-sign-in.ts';
import type { SignInOptions } from './use-sign-in.ts';

export interface SignInPageProps extends Omit<SignInOptions, 'onSignedIn'> {
  /** The page they were on when their token expired, or opened while signed out; absent: neither. */
  readonly target?: string;
  readonly onSignedIn: (target: string) => void;
}

export function SignInPage({ target, onSignedIn, ...options }: SignInPageProps) {
  usePageTitle('Sign in');
  const wanted = target ?? '/';
  const { ways, isKnown, problem, isReturning, isLeaving, begin } = useProviderSignIn({
    session: options.session,
    target: wanted,
    onDone: onSignedIn,
  });
  const [showsToken, setShowsToken] = useState(false);
  const { provider, passwords } = ways;
  if (isReturning) return <Waiting />;
  return (
    <main className={classes.page}>
      <div className={classes.head}>
        <Logo size={32} />
        <h1>Sign in to Ergodic</h1>
        {target !== undefined && <p>You will return to where you were.</p>}
      </div>
      {isKnown && (
        <Card padded className={classes.form}>
          {provider !== null && (
            <ProviderPart
              name={provider}
              problem={problem ?? ways.problem}
              isBusy={isLeaving}
              onBegin={() => void begin()}
              hasOthers={passwords || showsToken}
            />
          )}
          {passwords || showsToken ? (
            <LocalForm
              {...options}
              onSignedIn={() => onSignedIn(wanted)}
              isFirst={provider === null}
              hasPasswords={passwords}
            />
          ) : (
            <p className={classes.foot}>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => setShowsToken(true)}
              >
                Sign in with a token
              </Anchor>
            </p>
          )}
        </Card>
      )}
    </main>
  );
}

/** For the moment in which the service asks the provider who returned. */
function Waiting() {
  return (
    <main className={classes.page}>
      <div className={classes.head} role="status">
        <Logo size={32} />
        <h1>Signing in …</h1>
      </div>
    </main>
  );
}

interface ProviderPartProps {
  readonly name: string;
  /** Why it cannot be used at present, or what just went wrong. */
  readonly problem: string | null;
  readonly isBusy: boolean;
  readonly onBegin: () => void;
  /** Something follows below. */
  readonly hasOthers: boolean;
}

/** *Sign in with* the identity provider, above the form for this server's own accounts. */
function ProviderPart({ name, problem, isBusy, onBegin, hasOthers }: ProviderPartProps) {
  return (
    <div className={classes.provider}>
      {problem !== null && <Problem>{problem}</Problem>}
      <Button variant="filled" fullWidth loading={isBusy} onClick={onBegin}>
        <span className={classes.providerName}>Sign in with {name}</span>
      </Button>
      {hasOthers && <Divider label="or with an account of this server" />}
    </div>
  );
}
