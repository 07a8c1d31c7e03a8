/** All relations. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { EventObjectsPage } from '../features/events/event-objects-page.tsx';
import { eventSearchSchema } from '../features/events/event-search.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/relations')({
  ...shortSearch(eventSearchSchema),
  staticData: { title: 'Relations' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <EventObjectsPage
      kind="relation"
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
