/** What the server offers, and who is signed in there. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';
import type { Capability } from '../../contract/system.ts';
import { accountKeys, systemKeys } from './query-keys.ts';

/** What the server offers; a documented server without the endpoint offers nothing extra. */
export function configQueryOptions(client: Client) {
  return queryOptions({
    queryKey: systemKeys.config,
    queryFn: async ({ signal }) => {
      try {
        return await client.viewConfig({ signal });
      } catch (error) {
        const { kind, status, code } = ApiError.from(error);
        const isPassing = status >= 500 || code === 'RATE_LIMITED';
        if ((kind === 'http' && !isPassing) || kind === 'schema') return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function userQueryOptions(client: Client) {
  return queryOptions({
    queryKey: accountKeys.user,
    queryFn: ({ signal }) => client.viewUser({ signal }),
    staleTime: 60_000,
  });
}

export function hasCapability(
  config: { capabilities: readonly string[] } | null | undefined,
  name: Capability,
): boolean {
  return config?.capabilities.includes(name) ?? false;
}
