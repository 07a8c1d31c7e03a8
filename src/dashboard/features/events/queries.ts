/**
 * Events, callbacks and relations.
 *
 * events | callbacks | relations → lists → list(filters)
 *                                → details → detail(id)
 */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { View } from '../../../contract/objects.ts';
import { isGoingOn, runsPollMs } from '../live/going-on.ts';

export type EventKind = 'event' | 'callback' | 'relation';
export type EventObject = Extract<View, { object_type: EventKind }>;

/** One of them, with its newest calls where the server keeps them. */
export function eventObjectQueryOptions(client: Client, kind: EventKind, id: string) {
  return queryOptions({
    queryKey: [`${kind}s`, 'details', id],
    queryFn: async ({ signal }) => {
      const answer = await client.viewObject({ params: { objid: id }, signal });
      if (!isEventObject(answer)) throw new Error(`${id} is no ${kind}.`);
      return answer;
    },
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && 'runs' in data && data.runs?.some(isGoingOn) ? runsPollMs : false,
    refetchIntervalInBackground: false,
  });
}

function isEventObject(object: View): object is EventObject {
  return (
    object.object_type === 'event' ||
    object.object_type === 'callback' ||
    object.object_type === 'relation'
  );
}
