/** List of data objects. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { DataListPage } from '../features/data/data-list-page.tsx';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/data/')({
  ...shortSearch(z.object({ ...listSearchShape, owner: textSearch })),
  staticData: { title: 'Data' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <DataListPage
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
      onOpen={(dataId) => void navigate({ to: '/data/$dataId', params: { dataId } })}
    />
  );
}
