/** The client of the server signed in to, for components and hooks. Loaders get it from the router's context. */
import { createContext, useContext } from 'react';
import type { Client } from '../../client/create-client.ts';

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('useClient needs a ClientContext around it.');
  return client;
}
