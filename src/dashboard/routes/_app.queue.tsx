/** The runs waiting and running on all machines. */
import { createFileRoute } from '@tanstack/react-router';
import { QueuePage } from '../features/queue/queue-page.tsx';

export const Route = createFileRoute('/_app/queue')({
  staticData: { title: 'Queue' },
  component: Page,
});

function Page() {
  return <QueuePage />;
}
