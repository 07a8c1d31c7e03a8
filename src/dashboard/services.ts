/** What every screen depends on: the session, the client for its server, the cache. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../client/api-error.ts';
import { type Client, createClient } from '../client/create-client.ts';
import { Session } from './session/session.ts';

export interface Services {
  readonly session: Session;
  readonly queryClient: QueryClient;
  /** Client of the server signed in to; of the page's own origin while nobody is signed in. */
  readonly client: Client;
  /** What the clients call; absent: the browser's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Retries failures that may be temporary; never those that the caller caused. */
function shouldRetry(failures: number, error: unknown): boolean {
  const { kind, status } = ApiError.from(error);
  return failures < 2 && (kind === 'network' || kind === 'timeout' || status >= 500);
}

export function createServices(fetch?: typeof globalThis.fetch): Services {
  const session = new Session();
  // The one place where an expired session is handled, for reading and for saving.
  const onError = (error: unknown) => {
    if (ApiError.from(error).code === 'UNAUTHORIZED') session.expire();
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // `always`: a server on this computer answers without a network, and an unreachable one must be reported.
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        refetchOnWindowFocus: true,
        staleTime: 5000,
        networkMode: 'always',
      },
      // What was sent may contain a password: none of it is cached afterwards.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });
  // The client reads server and token at each call, so one object serves for the entire visit.
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
  // What one user saw must not be shown to the next.
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
