/** Overview. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { unreadCountQueryOptions } from '../features/notifications/queries.ts';
import { OverviewPage } from '../features/overview/overview-page.tsx';
import { useClient } from '../objects/use-client.ts';

export const Route = createFileRoute('/_app/')({
  staticData: { title: 'Overview' },
  component: Page,
});

function Page() {
  const client = useClient();
  // The bell requests it, once the page is quiet and if the server has notifications.
  const unread = useQuery({ ...unreadCountQueryOptions(client), enabled: false }).data;
  return <OverviewPage unread={unread ?? 0} />;
}
