/** One project. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ProjectPage } from '../features/projects/project-page.tsx';
import { OwnShareDialog } from '../features/sharing/own-sharing.tsx';
import { objectQueryOptions } from '../objects/object-queries.ts';

export const Route = createFileRoute('/_app/projects/$projectId')({
  staticData: { parent: { label: 'Projects', to: '/projects' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(
      objectQueryOptions(services.client, 'project', params.projectId),
    ),
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const project = Route.useLoaderData();
  const [sharing, setSharing] = useState<{ readonly hasNote: boolean } | null>(null);
  const { short_id: id, name } = project;
  return (
    <>
      <ProjectPage
        key={id}
        project={project}
        onShare={(hasNote) => setSharing({ hasNote })}
        onGone={() => void navigate({ to: '/projects' })}
      />
      {sharing !== null && (
        <OwnShareDialog
          object={{ kind: 'project', id, name, ...sharing }}
          onClose={() => setSharing(null)}
        />
      )}
    </>
  );
}
