/** All events. */
import { createFileRoute } from '@tanstack/react-router';
import { EventObjectsPage } from '../features/events/event-objects-page.tsx';
import { eventSearchSchema } from '../features/events/event-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/events')({
  ...shortSearch(eventSearchSchema),
  staticData: { title: 'Events' },
  component: Page,
});

function Page() {
  return (
    <EventObjectsPage kind="event" search={Route.useSearch()} onSearchChange={useSearchChange()} />
  );
}
