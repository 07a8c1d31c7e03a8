/** Asked before a link signs in a user who is already signed in: it names both accounts. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

export interface LinkQuestionProps {
  readonly current: string;
  readonly offered: string;
  readonly onStay: () => void;
  readonly onChange: () => Promise<void>;
}

export function LinkQuestion({ current, offered, onStay, onChange }: LinkQuestionProps) {
  usePageTitle('Change account?');
  const [busy, setBusy] = useState(false);
  return (
    <main>
      <MessagePage
        centred
        title="Change account?"
        message={`You are signed in as ${current}. This link signs you in as ${offered}: what you then upload or run belongs to that account. Change only if you know who made the link.`}
      >
        <Button variant="filled" onClick={onStay} disabled={busy}>
          Stay signed in as {current}
        </Button>
        <Button
          loading={busy}
          onClick={() => {
            setBusy(true);
            void onChange();
          }}
        >
          Sign in as {offered}
        </Button>
      </MessagePage>
    </main>
  );
}
