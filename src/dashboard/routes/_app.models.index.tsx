/** List of models. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ModelListPage } from '../features/models/model-list-page.tsx';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/models/')({
  ...shortSearch(z.object({ ...listSearchShape, tag: textSearch, owner: textSearch })),
  staticData: { title: 'Models' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <ModelListPage
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
      onOpen={(modelId) => void navigate({ to: '/models/$modelId', params: { modelId } })}
    />
  );
}
