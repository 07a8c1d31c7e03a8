/** All callbacks. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { EventObjectsPage } from '../features/events/event-objects-page.tsx';
import { eventSearchSchema } from '../features/events/event-search.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/callbacks')({
  ...shortSearch(eventSearchSchema),
  staticData: { title: 'Callbacks' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <EventObjectsPage
      kind="callback"
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
