/** An address that leads nowhere: a way back for users with an account; readers of a shared link have none. */
import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { usePageTitle } from './breadcrumbs.tsx';
import { MessagePage } from './message-page.tsx';

export function NotFoundPage() {
  const router = useRouter();
  const isSignedIn = router.options.context.services.session.credentials() !== null;
  usePageTitle('Page not found');
  const isShareLink = /^\/s(\/|$)/.test(router.state.location.pathname);
  if (!isSignedIn && isShareLink)
    return (
      <MessagePage
        centred
        title="Page not found"
        message="This snapshot link is incomplete. Ask the person who sent it for the full link."
      />
    );
  return (
    <MessagePage
      centred={!isSignedIn}
      title="Page not found"
      message="The address is mistyped, or the page was deleted."
    >
      <Button
        variant="filled"
        onClick={() => void router.navigate({ to: isSignedIn ? '/' : '/sign-in' })}
      >
        {isSignedIn ? 'Overview' : 'Sign in'}
      </Button>
    </MessagePage>
  );
}
