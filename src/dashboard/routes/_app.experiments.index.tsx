/** List of experiments. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ExperimentListPage } from '../features/experiments-list/experiment-list-page.tsx';
import { pageSearch, sortSearch, textSearch } from '../ui/list-search.ts';

const searchSchema = z.object({
  q: textSearch,
  status: textSearch,
  page: pageSearch,
  model: textSearch,
  workflow: textSearch,
  sort: sortSearch,
});

export const Route = createFileRoute('/_app/experiments/')({
  validateSearch: searchSchema,
  staticData: { title: 'Experiments' },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <ExperimentListPage
      client={services.client}
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
      onOpen={(experimentId) =>
        void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
      }
    />
  );
}
