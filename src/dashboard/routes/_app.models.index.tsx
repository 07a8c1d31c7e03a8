/** List of models. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ModelListPage } from '../features/models/model-list-page.tsx';
import { useShareRows } from '../features/sharing/use-share-rows.tsx';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/models/')({
  ...shortSearch(z.object({ ...listSearchShape, tag: textSearch, owner: textSearch })),
  staticData: { title: 'Models' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const { onShare, dialog } = useShareRows('model');
  return (
    <>
      <ModelListPage
        search={Route.useSearch()}
        onSearchChange={useSearchChange()}
        onOpen={(modelId) => void navigate({ to: '/models/$modelId', params: { modelId } })}
        onShare={onShare}
      />
      {dialog}
    </>
  );
}
