/** One cloud function. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { FunctionPage } from '../features/functions/function-page.tsx';
import { isGoingOn, runsPollMs } from '../features/relations/going-on.ts';
import { objectQueryOptions } from '../objects/object-queries.ts';
import { useClient } from '../objects/use-client.ts';

export const Route = createFileRoute('/_app/functions/$modelId')({
  staticData: { parent: { label: 'Functions', to: '/functions' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(
      objectQueryOptions(services.client, 'model', params.modelId),
    ),
  component: Page,
});

function Page() {
  const client = useClient();
  const loaded = Route.useLoaderData();
  const query = useQuery({
    ...objectQueryOptions(client, 'model', loaded.short_id),
    refetchInterval: (current) =>
      current.state.data?.runs?.some(isGoingOn) === true ? runsPollMs : false,
    refetchIntervalInBackground: false,
  });
  return (
    <FunctionPage
      key={loaded.short_id}
      model={query.data ?? loaded}
      isFetching={query.isFetching}
      onRefresh={() => void query.refetch()}
    />
  );
}
