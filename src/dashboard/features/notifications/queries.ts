/** Queries of notifications. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { notificationKeys } from '../../objects/query-keys.ts';

export type NotificationFilter = 'all' | 'unread' | 'read';

export const pageSize = 50;

/** Number of unread. The socket triggers a refetch; without one it is refetched when the user returns to the tab. */
export function unreadCountQueryOptions(client: Client) {
  return queryOptions({
    queryKey: notificationKeys.unread,
    queryFn: async ({ signal }) => {
      const query = { status: 'unread', page_size: 1 } as const;
      return (await client.listNotifications({ query, signal })).total;
    },
    staleTime: 60_000,
  });
}

export function notificationListQueryOptions(
  client: Client,
  status: NotificationFilter,
  page: number,
) {
  return queryOptions({
    queryKey: notificationKeys.list(status, page),
    queryFn: ({ signal }) =>
      client.listNotifications({ query: { status, page_no: page, page_size: pageSize }, signal }),
  });
}
