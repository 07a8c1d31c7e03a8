/** Objects of every kind, one or a page of them, as each screen requests them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Client } from '../../client/create-client.ts';
import { expectKind } from '../../client/expect-kind.ts';
import { maxPageSize, type ObjectKind } from '../../contract/common.ts';
import type { ListEntry, ListQuery } from '../../contract/objects.ts';
import { isLiveStatus } from './live-status.ts';
import { objectKeys } from './query-keys.ts';

export type EntryOf<K extends ObjectKind> = Extract<ListEntry, { object_type: K }>;
export type ListFilters = Partial<Omit<ListQuery, 'object_type'>>;

/** How an object is accessed: without a share, as its owner. */
export interface Access {
  readonly shareId?: string;
  readonly password?: string;
}

/** Objects on one page of a list. */
export const pageSize = 50;

/** One object, live or as a share froze it. */
export function objectQueryOptions<K extends ObjectKind>(
  client: Client,
  kind: K,
  id: string,
  access: Access = {},
) {
  return queryOptions({
    queryKey: objectKeys(kind).detail(id, access.shareId),
    queryFn: async ({ signal }) => {
      const answer = await client.viewObject({
        params: { objid: id },
        query: { share_id: access.shareId ?? '' },
        sharePassword: access.password,
        signal,
      });
      return expectKind(answer, kind);
    },
    ...freshness(access),
  });
}

/** A snapshot never changes; live objects are stale after 5 s. */
export function freshness(access: Access) {
  const isShare = access.shareId !== undefined;
  return {
    staleTime: isShare ? Number.POSITIVE_INFINITY : 5000,
    refetchOnWindowFocus: !isShare,
    refetchOnReconnect: !isShare,
  };
}

/** An object as of `version`, which never changes; 0: its current state. */
export function versionQueryOptions<K extends ObjectKind>(
  client: Client,
  kind: K,
  id: string,
  version: number,
) {
  return queryOptions({
    queryKey: objectKeys(kind).part(id, ['version', version]),
    queryFn: async ({ signal }) =>
      expectKind(
        await client.viewObject({ params: { objid: id }, query: { version }, signal }),
        kind,
      ),
    staleTime: version > 0 ? Number.POSITIVE_INFINITY : 5000,
  });
}

/** One page, newest first; fetched again every 2 s while one of its runs continues and the tab is visible. */
export function objectListQueryOptions<K extends ObjectKind>(
  client: Client,
  kind: K,
  filters: ListFilters = {},
) {
  return queryOptions({
    queryKey: objectKeys(kind).list(filters),
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

/** The newest objects of a kind to choose from: the largest page there is. */
export function choicesQueryOptions<K extends ObjectKind>(
  client: Client,
  kind: K,
  filters: ListFilters = {},
) {
  return queryOptions({
    ...objectListQueryOptions(client, kind, { page_size: maxPageSize, ...filters }),
    select: ({ objects }) => objects,
  });
}

function isRunning(object: ListEntry): boolean {
  return object.object_type === 'experiment' && isLiveStatus(object.status);
}

/** The name of a row; for a share, that of what it shows. */
export function nameOfEntry(row: ListEntry): string {
  if (row.object_type === 'share') return row.experiment_name || row.experiment_id;
  return ('name' in row && row.name) || row.short_id;
}

/** Whether a name search would find this row, for servers without one. */
export function isCalled(row: ListEntry, q: string): boolean {
  const word = q.trim();
  return (
    nameOfEntry(row).toLowerCase().includes(word.toLowerCase()) || row.short_id.startsWith(word)
  );
}
