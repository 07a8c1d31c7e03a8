/**
 * Queries of one experiment.
 *
 * experiments → details → detail(id, share) → summary | log
 */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { LogRange, Summary } from '../../../contract/draws.ts';
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

export type LogStream = 'stdlog' | 'platform';

/** The last 256 kB of a log; without `hasRange` (capability `log_range`) the whole output as documented. */
export function logQueryOptions(client: Client, id: string, stream: LogStream, hasRange: boolean) {
  return queryOptions({
    queryKey: [...experimentKeys.log(id), stream, hasRange],
    queryFn: ({ signal }) =>
      hasRange
        ? client.viewLog({ params: { objid: id }, query: { stream, from: -256_000 }, signal })
        : viewWholeLog(client, id, signal),
  });
}

async function viewWholeLog(client: Client, id: string, signal: AbortSignal): Promise<LogRange> {
  const answer = await client.viewObject({
    params: { objid: id },
    query: { stdlog: true },
    signal,
  });
  if (!('logs' in answer) || typeof answer.logs !== 'string')
    throw new ApiError('schema', 'The server answered without the output of the run.');
  const text = answer.logs;
  const lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { from: 0, to: text.length, size: text.length, lines, text };
}
