/** One workflow. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { workflowQueryOptions } from '../features/workflows/queries.ts';
import { WorkflowPage } from '../features/workflows/workflow-page.tsx';
import { configQueryOptions, hasCapability } from '../services.ts';
import { patiently } from '../ui/patient-import.ts';
import { useDelete } from '../ui/use-delete.ts';

const ShareDialog = lazy(() =>
  patiently(() => import('../features/sharing/share-dialog.tsx')).then((module) => ({
    default: module.ShareDialog,
  })),
);

export const Route = createFileRoute('/_app/workflows/$workflowId')({
  staticData: { parent: { label: 'Workflows', to: '/workflows' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(workflowQueryOptions(services.client, params.workflowId)),
  component: Page,
});

function Page() {
  const { client } = Route.useRouteContext().services;
  const navigate = useNavigate();
  const workflow = Route.useLoaderData();
  const config = useQuery(configQueryOptions(client)).data;
  const remove = useDelete(client);
  const [sharing, setSharing] = useState(false);
  const { short_id: id, name } = workflow;
  return (
    <>
      <WorkflowPage
        key={id}
        client={client}
        config={config}
        workflow={workflow}
        onStarted={(experimentId) =>
          void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
        }
        onShare={() => setSharing(true)}
        onDeleted={() => void navigate({ to: '/workflows' })}
      />
      {sharing && (
        <Suspense>
          <ShareDialog
            client={client}
            object={{ kind: 'workflow', id, name: name || id }}
            opened
            onClose={() => setSharing(false)}
            onRevoke={
              config === null
                ? undefined
                : (share) =>
                    void remove({
                      ids: [share.short_id],
                      words: 'Share revoked.',
                      queryKeys: [['shares']],
                    })
            }
            canExpire={hasCapability(config, 'share_options')}
          />
        </Suspense>
      )}
    </>
  );
}
