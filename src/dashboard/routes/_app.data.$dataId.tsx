/** One data object. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { DataPage } from '../features/data/data-page.tsx';
import { dataQueryOptions } from '../features/data/queries.ts';

export const Route = createFileRoute('/_app/data/$dataId')({
  staticData: { parent: { label: 'Data', to: '/data' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(dataQueryOptions(services.client, params.dataId)),
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const navigate = useNavigate();
  const data = Route.useLoaderData();
  return (
    <DataPage
      key={data.short_id}
      client={services.client}
      data={data}
      onGone={() => void navigate({ to: '/data' })}
    />
  );
}
