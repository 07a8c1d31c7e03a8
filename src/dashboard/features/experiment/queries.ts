/**
 * Queries of one experiment.
 *
 * experiments → details → detail(id, share) → summary | log
 */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
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
    staleTime: 5000,
  });
}

export function summaryQueryOptions(client: Client, id: string, access: Access = {}) {
  return queryOptions({
    queryKey: experimentKeys.summary(id, access),
    queryFn: ({ signal }) =>
      client.viewSummary({
        params: { objid: id },
        query: shareQuery(access),
        sharePassword: access.password,
        signal,
      }),
    // Replaced by the live poll while the run goes on; a finished run's summary does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The last `bytes` of the run's log. */
export function logQueryOptions(client: Client, id: string, stream: 'stdlog' | 'platform') {
  return queryOptions({
    queryKey: [...experimentKeys.log(id), stream],
    queryFn: ({ signal }) =>
      client.viewLog({ params: { objid: id }, query: { stream, from: -256_000 }, signal }),
  });
}
