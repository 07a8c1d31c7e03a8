/**
 * What the overview shows.
 *
 * experiments | models | shares → lists → overview
 */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { ObjectKind } from '../../../contract/common.ts';

/** The newest `count` objects of a kind and how many there are; renewed every 2 s while something runs. */
export function newestQueryOptions(client: Client, kind: ObjectKind, count: number) {
  return queryOptions({
    queryKey: [`${kind}s`, 'lists', 'newest', count],
    queryFn: ({ signal }) =>
      client.listObjects({ query: { object_type: kind, page_size: count }, signal }),
    refetchInterval: (query) => {
      const running = query.state.data?.objects.some(
        (object) =>
          object.object_type === 'experiment' &&
          (object.status === 'RUN' || object.status === 'NEW'),
      );
      return running ? 2000 : false;
    },
    refetchIntervalInBackground: false,
  });
}

/** Experiments that others share with this person by name. */
export function sharedWithMeQueryOptions(client: Client) {
  return queryOptions({
    queryKey: ['experiments', 'lists', 'shared-with-me'],
    queryFn: async ({ signal }) => {
      const page = await client.listObjects({
        query: { object_type: 'experiment', shared_with_me: true, page_size: 5 },
        signal,
      });
      const objects = page.objects.filter((object) => object.object_type === 'experiment');
      return { total: page.total, objects };
    },
  });
}
