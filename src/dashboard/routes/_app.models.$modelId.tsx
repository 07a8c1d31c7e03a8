/** One model: its files, its experiments, its details. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Share } from '../../contract/share.ts';
import { ModelPage } from '../features/models/model-page.tsx';
import { modelTabs } from '../features/models/model-tabs.ts';
import { OwnShareDialog, OwnShares } from '../features/sharing/own-sharing.tsx';
import { objectSharesQueryOptions } from '../features/sharing/queries.ts';
import { unlessGone } from '../objects/gone.ts';
import { objectQueryOptions } from '../objects/object-queries.ts';
import { objectKeys } from '../objects/query-keys.ts';
import { useConfig } from '../objects/use-config.ts';
import { useDelete } from '../objects/use-delete.ts';
import { usePageTitle } from '../ui/breadcrumbs.tsx';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

const noShares: readonly Share[] = [];

const searchSchema = z.object({
  tab: z.catch(z._default(z.enum(modelTabs), 'files'), 'files'),
  file: z.catch(z._default(z.string(), ''), ''),
  version: z.catch(z._default(z.coerce.string(), ''), ''),
  /** A change to the program that a run's page requests: "non-centred theta". */
  fix: z.catch(z._default(z.string(), ''), ''),
  /** A finished run whose draws are to be read, and its data. */
  from: z.catch(z._default(z.string(), ''), ''),
  data: z.catch(z._default(z.string(), ''), ''),
  against: z.catch(z._default(z.coerce.string(), ''), ''),
});

export const Route = createFileRoute('/_app/models/$modelId')({
  ...shortSearch(searchSchema),
  staticData: { parent: { label: 'Models', to: '/models' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(
      objectQueryOptions(services.client, 'model', params.modelId),
    ),
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const { client, session } = services;
  const loaded = Route.useLoaderData();
  const search = Route.useSearch();
  const navigate = useNavigate();
  const [sharing, setSharing] = useState(false);
  const config = useConfig() ?? null;
  const model = unlessGone(
    useQuery({
      ...objectQueryOptions(client, 'model', loaded.short_id),
      initialData: loaded,
    }),
  ).data;
  const shares = useQuery({
    ...objectSharesQueryOptions(client, loaded.short_id),
    enabled: search.tab === 'versions',
  }).data;
  const remove = useDelete();
  const name = model.name || model.short_id;
  usePageTitle(name);
  const deleteModel = () =>
    remove({
      ids: [model.short_id],
      message: `Deleted ${name}.`,
      changes: [objectKeys('model').all],
      onDone: () => void navigate({ to: '/models' }),
    });
  return (
    <>
      <ModelPage
        key={loaded.short_id}
        model={model}
        config={config}
        server={session.credentials()?.server || window.location.origin}
        search={search}
        onSearchChange={useSearchChange({ inPlace: true })}
        actions={{
          onShare: () => setSharing(true),
          onDelete: () => void deleteModel(),
          onOpenModel: (modelId) => void navigate({ to: '/models/$modelId', params: { modelId } }),
          onOpenExperiment: (experimentId) =>
            void navigate({ to: '/experiments/$experimentId', params: { experimentId } }),
        }}
        shares={shares ?? noShares}
        sharePanel={<OwnShares objectId={model.short_id} onShare={() => setSharing(true)} />}
      />
      {sharing && (
        <OwnShareDialog
          object={{ kind: 'model', id: model.short_id, name }}
          onClose={() => setSharing(false)}
        />
      )}
    </>
  );
}
