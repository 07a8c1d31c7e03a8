/** All relations. */
import { createFileRoute } from '@tanstack/react-router';
import { EventObjectsPage } from '../features/events/event-objects-page.tsx';
import { eventSearchSchema } from '../features/events/event-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/relations')({
  ...shortSearch(eventSearchSchema),
  staticData: { title: 'Relations' },
  component: Page,
});

function Page() {
  return (
    <EventObjectsPage
      kind="relation"
      search={Route.useSearch()}
      onSearchChange={useSearchChange()}
    />
  );
}
