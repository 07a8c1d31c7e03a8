/** Notifications. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { NotificationsPage } from '../features/notifications/notifications-page.tsx';
import { pageSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

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
  const navigate = useNavigate({ from: Route.fullPath });
  const { status, page } = Route.useSearch();
  return (
    <NotificationsPage
      status={status}
      page={page}
      onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
