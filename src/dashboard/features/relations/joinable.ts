/** Events, callbacks and functions by name: what relations join. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { maxPageSize } from '../../../contract/common.ts';
import type { ListEntry } from '../../../contract/objects.ts';
import { nameOfEntry } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';

/** The documented tag of cloud functions, and that of the server's own functions. */
export const functionTags = ['code', 'builtin'];

export interface Joinable {
  readonly id: string;
  readonly name: string;
  readonly kind: 'event' | 'callback' | 'function';
}

type JoinableKind = 'event' | 'callback' | 'model';

function joinableQueryOptions(client: Client, kind: JoinableKind) {
  return queryOptions({
    queryKey: objectKeys(kind).list('joinable'),
    queryFn: async ({ signal }): Promise<readonly Joinable[]> => {
      const tags = kind === 'model' ? { tags: functionTags } : {};
      const query = { object_type: kind, page_size: maxPageSize, ...tags };
      const page = await client.listObjects({ query, signal });
      return page.objects.map((row) => ({
        id: row.short_id,
        name: joinableName(row),
        kind: row.object_type === 'model' ? 'function' : kind === 'event' ? 'event' : 'callback',
      }));
    },
    staleTime: 60_000,
  });
}

/** A callback has no name: its first meaningful line is shown instead. */
export function joinableName(row: ListEntry): string {
  if (row.object_type !== 'callback') return nameOfEntry(row);
  const line = row.code.split('\n').find((one) => one.trim() !== '') ?? '';
  const comment = line.replace(/^\s*(\/\/|#|\/\*+)\s*/, '').trim();
  return comment === '' ? row.short_id : `${comment.slice(0, 60)}${comment.length > 60 ? '…' : ''}`;
}

export interface Joinables {
  readonly events: readonly Joinable[];
  /** Callbacks and functions. */
  readonly callables: readonly Joinable[];
  readonly isPending: boolean;
  /** The name of an id; the id itself while it is not known. */
  readonly nameOf: (id: string) => string;
}

export function useJoinables(): Joinables {
  const client = useClient();
  const events = useQuery(joinableQueryOptions(client, 'event'));
  const callbacks = useQuery(joinableQueryOptions(client, 'callback'));
  const functions = useQuery(joinableQueryOptions(client, 'model'));
  const all = [events, callbacks, functions].flatMap(({ data }) => data ?? []);
  return {
    events: events.data ?? [],
    callables: [...(functions.data ?? []), ...(callbacks.data ?? [])],
    isPending: events.isPending || callbacks.isPending || functions.isPending,
    nameOf: (id) => all.find((one) => one.id === id)?.name ?? id,
  };
}
