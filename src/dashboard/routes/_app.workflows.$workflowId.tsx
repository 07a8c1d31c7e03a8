/** One workflow. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { workflowQueryOptions } from '../features/workflows/queries.ts';
import { WorkflowPage } from '../features/workflows/workflow-page.tsx';

export const Route = createFileRoute('/_app/workflows/$workflowId')({
  staticData: { parent: { label: 'Workflows', to: '/workflows' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(workflowQueryOptions(services.client, params.workflowId)),
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const navigate = useNavigate();
  const workflow = Route.useLoaderData();
  return (
    <WorkflowPage
      key={workflow.short_id}
      client={services.client}
      workflow={workflow}
      onStarted={(experimentId) =>
        void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
      }
    />
  );
}
