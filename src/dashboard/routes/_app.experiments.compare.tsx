/** Experiments side by side. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { ComparePage } from '../features/compare/compare-page.tsx';
import { compareSearchSchema } from '../features/compare/compare-search.ts';
import { configQueryOptions } from '../objects/server.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/experiments/compare')({
  ...shortSearch(compareSearchSchema),
  staticData: { parent: { label: 'Experiments', to: '/experiments' } },
  // It must be known how draws arrive before the first request; a server that cannot say is a documented one.
  loader: ({ context: { services } }) =>
    services.queryClient.ensureQueryData(configQueryOptions(services.client)),
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <ComparePage
      search={Route.useSearch()}
      onSearchChange={(change) =>
        void navigate({
          search: (before) => ({ ...before, ...change }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
