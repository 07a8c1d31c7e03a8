/** The number of current runs: polled every 15 s in a visible tab, and immediately when a run starts or ends. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { objectKeys } from '../../objects/query-keys.ts';

export function runningCountQueryOptions(client: Client) {
  return queryOptions({
    queryKey: objectKeys('experiment').list('running-count'),
    queryFn: async ({ signal }) => {
      const page = await client.listObjects({
        query: { object_type: 'experiment', status: 'RUN', page_size: 1 },
        signal,
      });
      return page.total;
    },
    refetchInterval: 15_000,
    refetchIntervalInBackground: false,
  });
}
