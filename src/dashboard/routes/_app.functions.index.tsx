/** List of cloud functions. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { FunctionListPage } from '../features/functions/function-list-page.tsx';
import { listSearchShape } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/functions/')({
  ...shortSearch(z.object({ ...listSearchShape })),
  staticData: { title: 'Functions' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  return (
    <FunctionListPage
      search={Route.useSearch()}
      onSearchChange={useSearchChange()}
      onOpen={(modelId) => void navigate({ to: '/functions/$modelId', params: { modelId } })}
    />
  );
}
