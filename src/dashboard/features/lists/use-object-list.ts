/** One page of a list as its address asks for it, as far as the server can. */
import { useQuery } from '@tanstack/react-query';
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import { type EntryOf, isCalled, objectListQueryOptions } from '../../objects/object-queries.ts';
import { configQueryOptions, hasCapability, userQueryOptions } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { fieldsOf } from './list-fields.ts';
import type { FieldValues } from './list-filters.tsx';

/** More rows than this are for a program that asks the API. */
export const mostExported = 10_000;

export interface ObjectListOrder<K extends ObjectKind> {
  readonly kind: K;
  readonly search: FieldValues & {
    readonly q: string;
    readonly page: number;
    readonly sort: string;
  };
  readonly filters?: Partial<Omit<ListQuery, 'object_type'>>;
}

export function useObjectList<K extends ObjectKind>(order: ObjectListOrder<K>) {
  const { kind, search, filters } = order;
  const client = useClient();
  const canSearch = hasCapability(useQuery(configQueryOptions(client)).data, 'search');
  // The account menu asks who this is; until it has, nobody is offered what only few may do.
  const user = useQuery({ ...userQueryOptions(client), enabled: false }).data;
  const fields = fieldsOf(kind).filter(
    ({ key, isOurs, forSuper }) =>
      (canSearch || !isOurs) && (!forSuper || user?.super === true || Boolean(search[key])),
  );
  const asked: Partial<Omit<ListQuery, 'object_type'>> = { ...filters };
  for (const field of fields) {
    const value = search[field.key] ?? '';
    if (value !== '') Object.assign(asked, field.toQuery(value));
  }
  if (canSearch) Object.assign(asked, { q: search.q, sort: search.sort });
  const query = useQuery(objectListQueryOptions(client, kind, { ...asked, page_no: search.page }));
  const loaded: readonly EntryOf<K>[] = query.data?.objects ?? [];
  return {
    query,
    /** What the server was asked, without the page. */
    asked,
    canSearch,
    fields,
    rows: canSearch ? loaded : loaded.filter((row) => isCalled(row, search.q)),
    total: query.data?.total ?? 0,
  };
}
