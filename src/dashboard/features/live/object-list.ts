/** The list query of one kind, as every list page asks it. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { ListEntry, ListQuery } from '../../../contract/objects.ts';

export type EntryOf<K extends ListEntry['object_type']> = Extract<ListEntry, { object_type: K }>;

export const pageSize = 50;

/** One page, newest first; asked again every 2 s while a run of it goes on and the tab is seen. */
export function objectListQueryOptions<K extends ListEntry['object_type']>(
  client: Client,
  kind: K,
  filters: Partial<Omit<ListQuery, 'object_type'>>,
) {
  return queryOptions({
    queryKey: [`${kind}s`, 'lists', filters],
    queryFn: async ({ signal }) => {
      const query = { object_type: kind, page_size: pageSize, ...filters };
      const page = await client.listObjects({ query, signal });
      return {
        ...page,
        objects: page.objects.filter((object): object is EntryOf<K> => object.object_type === kind),
      };
    },
    placeholderData: keepPreviousData,
    refetchInterval: (current) => (current.state.data?.objects.some(isRunning) ? 2000 : false),
    refetchIntervalInBackground: false,
  });
}

function isRunning(object: ListEntry): boolean {
  return (
    object.object_type === 'experiment' && ['NEW', 'RUN', 'SAMPLE_FIN'].includes(object.status)
  );
}

/** What a row is called; a share by what it shows. */
export function nameOfEntry(row: ListEntry): string {
  if (row.object_type === 'share') return row.experiment_name || row.experiment_id;
  return ('name' in row && row.name) || row.short_id;
}

/** What a server without search would have found among these. */
export function isCalled(row: ListEntry, q: string): boolean {
  const word = q.trim();
  return (
    nameOfEntry(row).toLowerCase().includes(word.toLowerCase()) || row.short_id.startsWith(word)
  );
}
