/** An address that leads nowhere. */
import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { MessagePage } from './message-page.tsx';

export function NotFoundPage() {
  const router = useRouter();
  return (
    <MessagePage
      title="No page here"
      words="The address is mistyped, or what it named was deleted."
    >
      <Button onClick={() => void router.navigate({ to: '/' })}>Overview</Button>
    </MessagePage>
  );
}
