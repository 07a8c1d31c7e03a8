/** Shares. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { SharesPage } from '../features/sharing/shares-page.tsx';
import { sharesSearchShape } from '../features/sharing/shares-search.ts';
import { listSearchShape } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/shares')({
  ...shortSearch(z.object({ ...listSearchShape, ...sharesSearchShape })),
  staticData: { title: 'Shares' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  return (
    <SharesPage
      search={Route.useSearch()}
      onSearchChange={useSearchChange()}
      onOpen={(path) => void navigate({ href: path })}
    />
  );
}
