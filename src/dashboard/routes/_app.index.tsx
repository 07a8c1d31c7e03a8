/** Overview. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { unreadCountQueryOptions } from '../features/notifications/queries.ts';
import { OverviewPage } from '../features/overview/overview-page.tsx';

export const Route = createFileRoute('/_app/')({
  staticData: { title: 'Overview' },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  // The bell asks, once the page is quiet and where the server has notifications.
  const unread = useQuery({ ...unreadCountQueryOptions(services.client), enabled: false }).data;
  return <OverviewPage client={services.client} unread={unread ?? 0} />;
}
