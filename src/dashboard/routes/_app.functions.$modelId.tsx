/** One cloud function. */
import { createFileRoute } from '@tanstack/react-router';
import { FunctionPage } from '../features/functions/function-page.tsx';
import { modelQueryOptions } from '../features/models/queries.ts';

export const Route = createFileRoute('/_app/functions/$modelId')({
  staticData: { parent: { label: 'Functions', to: '/functions' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(modelQueryOptions(services.client, params.modelId)),
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const model = Route.useLoaderData();
  return <FunctionPage key={model.short_id} client={services.client} model={model} />;
}
