/** One data object. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { DataPage } from '../features/data/data-page.tsx';
import { dataTabs } from '../features/data/data-search.ts';
import { objectQueryOptions } from '../objects/object-queries.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

const searchSchema = z.object({
  tab: z.catch(z._default(z.enum(dataTabs), 'content'), 'content'),
  version: z.catch(z._default(z.int().check(z.minimum(0)), 0), 0),
});

export const Route = createFileRoute('/_app/data/$dataId')({
  ...shortSearch(searchSchema),
  staticData: { parent: { label: 'Data', to: '/data' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(
      objectQueryOptions(services.client, 'data', params.dataId),
    ),
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const data = Route.useLoaderData();
  return (
    <DataPage
      key={data.short_id}
      data={data}
      search={Route.useSearch()}
      onSearchChange={useSearchChange({ inPlace: true })}
      onOpen={(dataId) => void navigate({ to: '/data/$dataId', params: { dataId } })}
      onGone={() => void navigate({ to: '/data' })}
    />
  );
}
