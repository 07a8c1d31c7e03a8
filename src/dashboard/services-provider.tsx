/** Provides cache and client through React's context: the client changes with the server that is signed in to. */
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { ClientContext } from './objects/use-client.ts';
import type { Services } from './services.ts';

export interface ServicesProviderProps {
  readonly services: Services;
  readonly children: ReactNode;
}

export function ServicesProvider({ services, children }: ServicesProviderProps) {
  const subscribe = useCallback(
    (listener: () => void) => services.session.onChange(listener),
    [services],
  );
  const client = useSyncExternalStore(subscribe, () => services.client);
  return (
    <QueryClientProvider client={services.queryClient}>
      <ClientContext value={client}>{children}</ClientContext>
    </QueryClientProvider>
  );
}
