/**
 * Queries of one experiment.
 *
 * experiments → details → detail(id, share) → summary | log
 */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Summary } from '../../../contract/draws.ts';
import type { Access } from '../live/draws-loader.ts';

export const experimentKeys = {
  details: ['experiments', 'details'] as const,
  detail: (id: string, access: Access = {}) =>
    ['experiments', 'details', id, access.shareId ?? 'live'] as const,
  summary: (id: string, access: Access = {}) =>
    [...experimentKeys.detail(id, access), 'summary'] as const,
  log: (id: string) => [...experimentKeys.detail(id), 'log'] as const,
};

const shareQuery = (access: Access) => ({ share_id: access.shareId ?? '' });

export function experimentQueryOptions(client: Client, id: string, access: Access = {}) {
  return queryOptions({
    queryKey: experimentKeys.detail(id, access),
    queryFn: async ({ signal }) => {
      const query = shareQuery(access);
      const answer = await client.viewObject({
        params: { objid: id },
        query,
        sharePassword: access.password,
        signal,
      });
      return expectKind(answer, 'experiment');
    },
    ...freshness(access),
  });
}

/** A snapshot never changes; what lives is old after 5 s. */
function freshness(access: Access) {
  const isShare = access.shareId !== undefined;
  return {
    staleTime: isShare ? Number.POSITIVE_INFINITY : 5000,
    refetchOnWindowFocus: !isShare,
    refetchOnReconnect: !isShare,
  };
}

/** `load`: another way to the summary than asking the server for it. */
export function summaryQueryOptions(
  client: Client,
  id: string,
  access: Access = {},
  load?: (signal: AbortSignal) => Promise<Summary>,
) {
  const ask = (signal: AbortSignal) =>
    client.viewSummary({
      params: { objid: id },
      query: shareQuery(access),
      sharePassword: access.password,
      signal,
    });
  return queryOptions({
    queryKey: experimentKeys.summary(id, access),
    queryFn: ({ signal }) => (load ?? ask)(signal),
    ...freshness(access),
    // The way by `load` fills the page's store besides, so every page goes it anew.
    ...(load === undefined ? {} : { staleTime: 0 }),
    // The poll renews it while the run goes on.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
