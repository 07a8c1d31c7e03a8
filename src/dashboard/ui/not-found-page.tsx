/** An address that leads nowhere; it stands alone, without the frame. */
import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import classes from './message-page.module.css';
import { MessagePage } from './message-page.tsx';

export function NotFoundPage() {
  const router = useRouter();
  return (
    <main className={classes.alone}>
      <MessagePage
        title="Page not found"
        message="The address is mistyped, or the page was deleted."
      >
        <Button onClick={() => void router.navigate({ to: '/' })}>Overview</Button>
      </MessagePage>
    </main>
  );
}
