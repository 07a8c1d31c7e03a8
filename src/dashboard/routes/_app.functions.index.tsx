/** List of cloud functions. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { FunctionListPage } from '../features/functions/function-list-page.tsx';
import { listSearchShape } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/functions/')({
  ...shortSearch(z.object({ ...listSearchShape })),
  staticData: { title: 'Functions' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <FunctionListPage
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
      onOpen={(modelId) => void navigate({ to: '/functions/$modelId', params: { modelId } })}
    />
  );
}
