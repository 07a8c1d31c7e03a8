/** Notifications. */
import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { NotificationsPage } from '../features/notifications/notifications-page.tsx';
import { pageSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/notifications')({
  ...shortSearch(
    z.object({
      status: z.catch(z._default(z.enum(['all', 'unread', 'read']), 'all'), 'all'),
      page: pageSearch,
    }),
  ),
  staticData: { title: 'Notifications' },
  component: Page,
});

function Page() {
  const { status, page } = Route.useSearch();
  return <NotificationsPage status={status} page={page} onChange={useSearchChange()} />;
}
