/** Overview. */
import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../features/overview/overview-page.tsx';

export const Route = createFileRoute('/_app/')({
  staticData: { title: 'Overview' },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  return <OverviewPage client={services.client} />;
}
