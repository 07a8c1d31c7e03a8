/** What every screen stands on: the session, the client for its server, the cache. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../client/api-error.ts';
import { type Client, createClient } from '../client/create-client.ts';
import { Session } from './session/session.ts';

export interface Services {
  readonly session: Session;
  readonly queryClient: QueryClient;
  /** Client of the server signed in to; of the page's own origin while nobody is. */
  readonly client: Client;
  /** What the clients call; absent: the browser's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Tries again what may go away by itself; never what the caller did. */
function shouldRetry(failures: number, error: unknown): boolean {
  const { kind, status } = ApiError.from(error);
  return failures < 2 && (kind === 'network' || kind === 'timeout' || status >= 500);
}

export function createServices(fetch?: typeof globalThis.fetch): Services {
  const session = new Session();
  // The one place where an ended session is met, for reading as for saving.
  const onError = (error: unknown) => {
    if (ApiError.from(error).code === 'UNAUTHORIZED') session.expire();
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // `always`: a server on this computer answers without any network, and what is unreachable must say so.
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        refetchOnWindowFocus: true,
        staleTime: 5000,
        networkMode: 'always',
      },
      // What was sent may hold a password: nothing of it is kept when it is done.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });
  // The client reads server and token at each call, so one object serves for the whole visit.
  const token = () => session.credentials()?.token ?? null;
  const clients = new Map<string, Client>();
  const current = (): Client => {
    const baseUrl = session.credentials()?.server ?? '';
    let client = clients.get(baseUrl);
    if (client === undefined) {
      client = createClient({ baseUrl, token, ...(fetch === undefined ? {} : { fetch }) });
      clients.set(baseUrl, client);
    }
    return client;
  };
  // What one person saw is not the next one's.
  session.onChange((credentials) => {
    if (credentials === null) queryClient.clear();
  });
  return {
    session,
    queryClient,
    ...(fetch === undefined ? {} : { fetch }),
    get client() {
      return current();
    },
  };
}
