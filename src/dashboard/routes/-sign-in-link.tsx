/** Opens a `?token=` link before any page: signs in, asks, or explains why not. */
import { useEffect, useRef, useState } from 'react';
import type { Services } from '../services.ts';
import { isLoopback } from '../session/link-token.ts';
import { type LinkOutcome, openLink } from '../session/open-link.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { showToast } from '../ui/toasts.tsx';

const LinkQuestion = lazyPart(
  () => import('../features/sign-in/link-question.tsx'),
  'LinkQuestion',
);

export interface SignInLinkProps {
  readonly services: Services;
  readonly token: string;
  readonly onDone: () => void;
}

type Question = Extract<LinkOutcome, { kind: 'ask' }>;

export function SignInLink({ services, token, onDone }: SignInLinkProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const finish = (outcome: LinkOutcome) => {
    if (outcome.kind === 'ask') return setQuestion(outcome);
    if (outcome.kind === 'refused') showToast({ message: outcome.message, tone: 'bad' });
    if (outcome.kind === 'signed-in')
      showToast({ message: `Signed in as ${outcome.account} by the link you opened.` });
    onDone();
  };
  // a link is opened once, however often the page renders
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current) return;
    isOpened.current = true;
    const { session, client, fetch } = services;
    void openLink({ session, client, fetch, token, stay: isLoopback(window.location) }).then(
      finish,
    );
  });
  if (question === null) return null;
  return (
    <LinkQuestion
      current={question.current}
      offered={question.offered}
      onStay={onDone}
      onChange={async () => finish(await question.accept())}
    />
  );
}
