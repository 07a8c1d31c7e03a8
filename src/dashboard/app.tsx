/** Theme, cache and router around the pages. */
import { Button, MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createAppRouter } from './router.tsx';
import type { Services } from './services.ts';
import { ServicesProvider } from './services-provider.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { lazyPart } from './ui/lazy-part.ts';
import { MessagePage } from './ui/message-page.tsx';
import { Toasts } from './ui/toasts.tsx';
import { clearUndo } from './ui/undo-stack.ts';

const SignInLink = lazyPart(() => import('./routes/-sign-in-link.tsx'), 'SignInLink');

export interface AppProps {
  readonly services: Services;
  /** Of the `?token=` link that was opened; null for any other address. */
  readonly linkToken?: string | null;
}

export function App({ services, linkToken = null }: AppProps) {
  const [link, setLink] = useState(linkToken);
  const [router] = useState(() => createAppRouter(services));
  // Signed out in another tab, or the token has expired: sign in and come back. Snapshots need no sign-in.
  useEffect(
    () =>
      services.session.onChange((credentials) => {
        if (credentials === null) clearUndo();
        const { pathname, href } = router.state.location;
        if (credentials !== null || pathname === '/sign-in' || pathname.startsWith('/s/')) return;
        void router.navigate({ to: '/sign-in', search: { redirect: href }, replace: true });
      }),
    [router, services],
  );
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
    >
      <ServicesProvider services={services}>
        <ErrorBoundary fallback={(error) => <Broken error={error} />}>
          {link === null ? (
            <RouterProvider router={router} />
          ) : (
            <SignInLink services={services} token={link} onDone={() => setLink(null)} />
          )}
        </ErrorBoundary>
        <Toasts />
      </ServicesProvider>
    </MantineProvider>
  );
}

/** The last resort when everything else failed: never a blank page. */
function Broken({ error }: { error: unknown }) {
  return (
    <MessagePage
      title="The dashboard has crashed"
      message={`Your objects are not affected. Error: ${String(error)}`}
    >
      <Button variant="filled" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </MessagePage>
  );
}
