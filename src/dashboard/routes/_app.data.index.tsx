/** List of data objects. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { DataListPage } from '../features/data/data-list-page.tsx';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/data/')({
  ...shortSearch(z.object({ ...listSearchShape, owner: textSearch })),
  staticData: { title: 'Data' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  return (
    <DataListPage
      search={Route.useSearch()}
      onSearchChange={useSearchChange()}
      onOpen={(dataId) => void navigate({ to: '/data/$dataId', params: { dataId } })}
    />
  );
}
