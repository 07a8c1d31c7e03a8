/** Message of a page that cannot be shown: by kind of failure, with what to do. */
import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { MessagePage } from './message-page.tsx';

export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const apiError = error instanceof ApiError ? error : null;
  const unauthorized = apiError?.code === 'UNAUTHORIZED';
  useEffect(() => {
    if (!unauthorized) return;
    const back = router.state.location.href;
    void router.navigate({ to: '/sign-in', search: { redirect: back }, replace: true });
  }, [router, unauthorized]);
  const again = () => {
    reset();
    void router.invalidate();
  };
  if (unauthorized) return null;
  // Trying again rarely helps with these two.
  const isFinal = apiError?.code === 'NOT_FOUND' || apiError?.code === 'PERMISSION_DENIED';
  const { title, message } = describe(apiError, error);
  return (
    <MessagePage title={title} message={message}>
      {isFinal ? (
        <Button variant="filled" onClick={() => void router.navigate({ to: '/' })}>
          Overview
        </Button>
      ) : (
        <Button variant="filled" onClick={again}>
          Try again
        </Button>
      )}
      <Button onClick={isFinal ? again : () => void router.navigate({ to: '/' })}>
        {isFinal ? 'Try again' : 'Overview'}
      </Button>
    </MessagePage>
  );
}

function describe(error: ApiError | null, cause: unknown): { title: string; message: string } {
  if (error === null) {
    return {
      title: 'This page has crashed',
      message: `Your objects are not affected. Error: ${String(cause)}`,
    };
  }
  switch (error.kind) {
    case 'network':
      return {
        title: 'The server cannot be reached',
        message: 'Check that it runs and that you are online. Nothing is lost.',
      };
    case 'timeout':
      return { title: 'The server does not answer', message: 'It may be busy. Nothing is lost.' };
    case 'schema':
      return { title: 'The server’s answer was not understood', message: error.message };
    case 'aborted':
      return { title: 'Loading was interrupted', message: 'Try again.' };
    case 'http':
      if (error.code === 'NOT_FOUND')
        return { title: 'Not found', message: 'It was deleted, or the address is mistyped.' };
      if (error.code === 'PERMISSION_DENIED')
        return { title: 'No access', message: 'Ask its owner to share it with you.' };
      return {
        title: error.status >= 500 ? 'The server failed' : 'The server refused',
        message: `${error.message}${error.status >= 500 ? ' Nothing of yours is affected.' : ''}`,
      };
  }
}
