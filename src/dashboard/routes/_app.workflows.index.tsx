/** List of workflows. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { useShareRows } from '../features/sharing/use-share-rows.tsx';
import { WorkflowListPage } from '../features/workflows/workflow-list-page.tsx';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/workflows/')({
  ...shortSearch(z.object({ ...listSearchShape, owner: textSearch })),
  staticData: { title: 'Workflows' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const { onShare, dialog } = useShareRows('workflow');
  return (
    <>
      <WorkflowListPage
        search={Route.useSearch()}
        onSearchChange={useSearchChange()}
        onOpen={(workflowId) =>
          void navigate({ to: '/workflows/$workflowId', params: { workflowId } })
        }
        onShare={onShare}
      />
      {dialog}
    </>
  );
}
