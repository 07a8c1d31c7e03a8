/** List of experiments. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import * as z from 'zod/mini';
import type { Experiment } from '../../contract/experiment.ts';
import type { Share } from '../../contract/share.ts';
import { ExperimentListPage } from '../features/experiments-list/experiment-list-page.tsx';
import { configQueryOptions, hasCapability } from '../services.ts';
import { eitherSearch, listSearchShape, textSearch } from '../ui/list-search.ts';
import { useCanDelete, useDelete } from '../ui/use-delete.ts';

const ShareDialog = lazy(() =>
  import('../features/sharing/share-dialog.tsx').then((module) => ({
    default: module.ShareDialog,
  })),
);

const searchSchema = z.object({
  ...listSearchShape,
  status: textSearch,
  model: textSearch,
  workflow: textSearch,
  run_on: textSearch,
  has_model: eitherSearch,
  tag: textSearch,
  owner: textSearch,
});

export const Route = createFileRoute('/_app/experiments/')({
  validateSearch: searchSchema,
  staticData: { title: 'Experiments' },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const { client } = services;
  const navigate = useNavigate({ from: Route.fullPath });
  const [shared, setShared] = useState<Experiment | null>(null);
  const config = useQuery(configQueryOptions(client)).data;
  const canDelete = useCanDelete(client);
  const remove = useDelete(client);
  const revokeShare = (share: Share) =>
    void remove({ ids: [share.short_id], words: 'Share revoked.', queryKeys: [['shares']] });
  return (
    <>
      <ExperimentListPage
        client={client}
        search={Route.useSearch()}
        onSearchChange={(change) =>
          void navigate({ search: (before) => searchSchema.parse({ ...before, ...change }) })
        }
        onOpen={(experimentId) =>
          void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
        }
        onShare={setShared}
      />
      {shared !== null && (
        <Suspense>
          <ShareDialog
            client={client}
            object={{
              kind: 'experiment',
              id: shared.short_id,
              name: shared.name || shared.short_id,
            }}
            opened
            onClose={() => setShared(null)}
            onRevoke={canDelete ? revokeShare : undefined}
            canExpire={hasCapability(config, 'share_options')}
          />
        </Suspense>
      )}
    </>
  );
}
