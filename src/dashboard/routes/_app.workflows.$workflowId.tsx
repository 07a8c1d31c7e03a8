/** One workflow. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { OwnShareDialog } from '../features/sharing/own-sharing.tsx';
import { WorkflowPage } from '../features/workflows/workflow-page.tsx';
import { objectQueryOptions } from '../objects/object-queries.ts';
import { useConfig } from '../objects/use-config.ts';

export const Route = createFileRoute('/_app/workflows/$workflowId')({
  staticData: { parent: { label: 'Workflows', to: '/workflows' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(
      objectQueryOptions(services.client, 'workflow', params.workflowId),
    ),
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const workflow = Route.useLoaderData();
  const config = useConfig();
  const [sharing, setSharing] = useState(false);
  const { short_id: id, name } = workflow;
  return (
    <>
      <WorkflowPage
        key={id}
        config={config}
        workflow={workflow}
        onStarted={(experimentId) =>
          void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
        }
        onShare={() => setSharing(true)}
        onDeleted={() => void navigate({ to: '/workflows' })}
      />
      {sharing && (
        <OwnShareDialog
          object={{ kind: 'workflow', id, name: name || id }}
          onClose={() => setSharing(false)}
        />
      )}
    </>
  );
}
