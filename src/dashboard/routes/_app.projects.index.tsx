/** List of projects. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { NoProjects } from '../features/projects/no-projects.tsx';
import { ProjectListPage } from '../features/projects/project-list-page.tsx';
import { useShareRows } from '../features/sharing/use-share-rows.tsx';
import { useCapability } from '../objects/use-config.ts';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/projects/')({
  ...shortSearch(z.object({ ...listSearchShape, tag: textSearch, owner: textSearch })),
  staticData: { title: 'Projects' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const search = Route.useSearch();
  const { onShare, dialog } = useShareRows('project');
  if (!useCapability('projects')) return <NoProjects />;
  return (
    <>
      <ProjectListPage
        search={search}
        onSearchChange={useSearchChange()}
        onOpen={(projectId) => void navigate({ to: '/projects/$projectId', params: { projectId } })}
        onShare={onShare}
      />
      {dialog}
    </>
  );
}
