/** Experiments side by side. */
import { createFileRoute } from '@tanstack/react-router';
import { ComparePage } from '../features/compare/compare-page.tsx';
import { compareSearchSchema } from '../features/compare/compare-search.ts';
import { configQueryOptions } from '../objects/server.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/experiments/compare')({
  ...shortSearch(compareSearchSchema),
  staticData: { parent: { label: 'Experiments', to: '/experiments' } },
  // It must be known how draws arrive before the first request; a server that cannot say is a documented one.
  loader: ({ context: { services } }) =>
    services.queryClient.ensureQueryData(configQueryOptions(services.client)),
  component: Page,
});

function Page() {
  return (
    <ComparePage search={Route.useSearch()} onSearchChange={useSearchChange({ inPlace: true })} />
  );
}
