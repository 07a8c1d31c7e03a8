/** One page of a list as its address specifies, as far as the server supports it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListEntry, ListQuery } from '../../../contract/objects.ts';
import { type EntryOf, isCalled, objectListQueryOptions } from '../../objects/object-queries.ts';
import { userQueryOptions } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';
import { importWithRetry } from '../../ui/import-with-retry.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { type FieldValues, fieldsOf, ofTeams } from './list-fields.ts';

/** A program that uses the API is better for more rows than this. */
export const mostExported = 10_000;

export interface ObjectListOrder<K extends ObjectKind> {
  readonly kind: K;
  readonly search: FieldValues & {
    readonly q: string;
    readonly page: number;
    readonly sort: string;
  };
  readonly filters?: Partial<Omit<ListQuery, 'object_type'>>;
  /** The columns to sort by. */
  readonly columns: readonly ListColumn<EntryOf<K>>[];
}

export function useObjectList<K extends ObjectKind>(order: ObjectListOrder<K>) {
  const { kind, search, filters } = order;
  const client = useClient();
  const canSearch = useCapability('search');
  // The account menu loads the user; until then, options for privileged users are not offered.
  const user = useQuery({ ...userQueryOptions(client), enabled: false }).data;
  const teams = user?.teams ?? [];
  const fields = fieldsOf(kind)
    .map((field) => (field.forSuper && user?.super !== true ? ofTeams(field, teams) : field))
    .filter(
      ({ key, isOurs, forSuper }) =>
        (canSearch || !isOurs) && (!forSuper || user?.super === true || Boolean(search[key])),
    );
  const asked: Partial<Omit<ListQuery, 'object_type'>> = { ...filters };
  for (const field of fields) {
    const value = search[field.key] ?? '';
    if (value !== '') Object.assign(asked, field.toQuery(value));
  }
  const sort = knownSort(search.sort, order.columns);
  if (canSearch) Object.assign(asked, { q: search.q, sort });
  const sortPage = usePageSort(canSearch);
  const query = useQuery(objectListQueryOptions(client, kind, { ...asked, page_no: search.page }));
  const loaded: readonly EntryOf<K>[] = query.data?.objects ?? [];
  return {
    query,
    /** The query sent to the server, without the page. */
    asked,
    canSearch,
    sort,
    fields,
    rows: canSearch
      ? loaded
      : sortPage(
          loaded.filter((row) => isCalled(row, search.q)),
          sort,
        ),
    total: query.data?.total ?? 0,
  };
}

/** An unknown sort key falls back to the newest first. */
function knownSort<T>(sort: string, columns: readonly ListColumn<T>[]): string {
  const key = sort.replace(/^-/, '');
  return key === 'created' || columns.some(({ sortKey }) => sortKey === key) ? sort : '-created';
}

type PageSort = <T extends ListEntry>(rows: readonly T[], sort: string) => readonly T[];

/** Sorts rows if the server does not; loaded only for such a server. */
function usePageSort(isUseless: boolean): PageSort {
  const [sort, setSort] = useState<{ readonly by: PageSort }>({ by: (rows) => rows });
  useEffect(() => {
    if (isUseless) return;
    void importWithRetry(() => import('./page-sort.ts')).then(({ sortPage }) =>
      setSort({ by: sortPage }),
    );
  }, [isUseless]);
  return sort.by;
}
