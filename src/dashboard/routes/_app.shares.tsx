/** Shares. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { SharesPage } from '../features/sharing/shares-page.tsx';
import { sharesSearchShape } from '../features/sharing/shares-search.ts';
import { listSearchShape } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

export const Route = createFileRoute('/_app/shares')({
  ...shortSearch(z.object({ ...listSearchShape, ...sharesSearchShape })),
  staticData: { title: 'Shares' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <SharesPage
      search={Route.useSearch()}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
      onOpen={(path) => void navigate({ href: path })}
    />
  );
}
