/** One event, callback or relation, with its newest calls if the server keeps them. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { View } from '../../../contract/objects.ts';
import { objectQueryOptions } from '../../objects/object-queries.ts';
import { isGoingOn, runsPollMs } from '../relations/going-on.ts';

export type EventKind = 'event' | 'callback' | 'relation';
export type EventObject = Extract<View, { object_type: EventKind }>;

/** Refetched while one of its calls is running. */
export function eventObjectQueryOptions(client: Client, kind: EventKind, id: string) {
  return queryOptions({
    ...objectQueryOptions(client, kind, id),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && 'runs' in data && data.runs?.some(isGoingOn) ? runsPollMs : false,
    refetchIntervalInBackground: false,
  });
}
