/** List of projects. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Project } from '../../contract/project.ts';
import { NoProjects } from '../features/projects/no-projects.tsx';
import { ProjectListPage } from '../features/projects/project-list-page.tsx';
import { useCapability } from '../objects/use-config.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

const ShareRowsDialog = lazyPart(
  () => import('../features/sharing/share-rows-dialog.tsx'),
  'ShareRowsDialog',
);

export const Route = createFileRoute('/_app/projects/')({
  ...shortSearch(z.object({ ...listSearchShape, tag: textSearch, owner: textSearch })),
  staticData: { title: 'Projects' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  const search = Route.useSearch();
  const [shared, setShared] = useState<readonly Project[]>([]);
  if (!useCapability('projects')) return <NoProjects />;
  return (
    <>
      <ProjectListPage
        search={search}
        onSearchChange={(change) =>
          void navigate({ search: (before) => ({ ...before, ...change }) })
        }
        onOpen={(projectId) => void navigate({ to: '/projects/$projectId', params: { projectId } })}
        onShare={setShared}
      />
      {shared.length > 0 && (
        <ShareRowsDialog kind="project" rows={shared} onClose={() => setShared([])} />
      )}
    </>
  );
}
