/** All callbacks. */
import { createFileRoute } from '@tanstack/react-router';
import { EventObjectsPage } from '../features/events/event-objects-page.tsx';
import { eventSearchSchema } from '../features/events/event-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/callbacks')({
  ...shortSearch(eventSearchSchema),
  staticData: { title: 'Callbacks' },
  component: Page,
});

function Page() {
  return (
    <EventObjectsPage
      kind="callback"
      search={Route.useSearch()}
      onSearchChange={useSearchChange()}
    />
  );
}
