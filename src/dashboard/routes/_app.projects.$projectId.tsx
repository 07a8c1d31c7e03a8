/** One project. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../contract/project.ts';
import { NoProjects } from '../features/projects/no-projects.tsx';
import { ProjectPage } from '../features/projects/project-page.tsx';
import { OwnShareDialog } from '../features/sharing/own-sharing.tsx';
import { objectQueryOptions } from '../objects/object-queries.ts';
import { configQueryOptions, hasCapability } from '../objects/server.ts';

export const Route = createFileRoute('/_app/projects/$projectId')({
  staticData: { parent: { label: 'Projects', to: '/projects' } },
  loader: async ({ context: { services }, params }) => {
    const { client, queryClient } = services;
    const config = await queryClient.ensureQueryData(configQueryOptions(client));
    if (!hasCapability(config, 'projects')) return null;
    return queryClient.ensureQueryData(objectQueryOptions(client, 'project', params.projectId));
  },
  component: Page,
});

function Page() {
  const project = Route.useLoaderData();
  return project === null ? <NoProjects /> : <Own project={project} />;
}

function Own({ project }: { readonly project: Project }) {
  const navigate = useNavigate();
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
