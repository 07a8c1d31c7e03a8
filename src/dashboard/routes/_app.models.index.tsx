/** List of models. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Model } from '../../contract/model.ts';
import { ModelListPage } from '../features/models/model-list-page.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { listSearchShape, textSearch } from '../ui/list-search.ts';
import { shortSearch } from '../ui/short-search.ts';

const ShareRowsDialog = lazyPart(
  () => import('../features/sharing/share-rows-dialog.tsx'),
  'ShareRowsDialog',
);

export const Route = createFileRoute('/_app/models/')({
  ...shortSearch(z.object({ ...listSearchShape, tag: textSearch, owner: textSearch })),
  staticData: { title: 'Models' },
  component: Page,
});

function Page() {
  const navigate = useNavigate({ from: Route.fullPath });
  const [shared, setShared] = useState<readonly Model[]>([]);
  return (
    <>
      <ModelListPage
        search={Route.useSearch()}
        onSearchChange={(change) =>
          void navigate({ search: (before) => ({ ...before, ...change }) })
        }
        onOpen={(modelId) => void navigate({ to: '/models/$modelId', params: { modelId } })}
        onShare={setShared}
      />
      {shared.length > 0 && (
        <ShareRowsDialog kind="model" rows={shared} onClose={() => setShared([])} />
      )}
    </>
  );
}
