/** The summary of one experiment. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../../client/create-client.ts';
import type { Summary } from '../../../../contract/draws.ts';
import { type Access, freshness } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';

const shareQuery = (access: Access) => ({ share_id: access.shareId ?? '' });

/** `load`: gets the summary in another way than from the server. */
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
    queryKey: objectKeys('experiment').part(id, ['summary'], access.shareId),
    queryFn: ({ signal }) => (load ?? ask)(signal),
    ...freshness(access),
    // `load` also fills the page's store, so every page loads it again.
    ...(load === undefined ? {} : { staleTime: 0 }),
    // The poll renews it while the run continues.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
