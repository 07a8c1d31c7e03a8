/** List of workflows. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { WorkflowListPage } from '../features/workflows/workflow-list-page.tsx';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/workflows/')({
  ...shortSearch(z.object({ ...listSearchShape, owner: textSearch })),
  staticData: { title: 'Workflows' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <WorkflowListPage
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
      onOpen={(workflowId) =>
        void navigate({ to: '/workflows/$workflowId', params: { workflowId } })
      }
    />
  );
}
