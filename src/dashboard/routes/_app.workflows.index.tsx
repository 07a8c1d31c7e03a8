/** List of workflows. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Workflow } from '../../contract/workflow.ts';
import { WorkflowListPage } from '../features/workflows/workflow-list-page.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

const ShareRowsDialog = lazyPart(
  () => import('../features/sharing/share-rows-dialog.tsx'),
  'ShareRowsDialog',
);

export const Route = createFileRoute('/_app/workflows/')({
  ...shortSearch(z.object({ ...listSearchShape, owner: textSearch })),
  staticData: { title: 'Workflows' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  const [shared, setShared] = useState<readonly Workflow[]>([]);
  return (
    <>
      <WorkflowListPage
        search={Route.useSearch()}
        onSearchChange={(change) =>
          void navigate({ search: (before) => ({ ...before, ...change }) })
        }
        onOpen={(workflowId) =>
          void navigate({ to: '/workflows/$workflowId', params: { workflowId } })
        }
        onShare={setShared}
      />
      {shared.length > 0 && (
        <ShareRowsDialog kind="workflow" rows={shared} onClose={() => setShared([])} />
      )}
    </>
  );
}
