/** One experiment. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ExperimentPage } from '../features/experiment/page/experiment-page.tsx';
import { useExperimentActions } from '../features/experiment/page/use-experiment-actions.ts';
import { experimentSearchSchema } from '../features/experiment/run/experiment-search.ts';
import { rememberedVariables } from '../features/experiment/run/remembered-variables.ts';
import { OwnShareDialog, OwnShares } from '../features/sharing/own-sharing.tsx';
import { percentDone } from '../features/status/verdict-mark.tsx';
import { unlessGone } from '../objects/gone.ts';
import { objectQueryOptions } from '../objects/object-queries.ts';
import { hasCapability } from '../objects/server.ts';
import { useClient } from '../objects/use-client.ts';
import { useConfig } from '../objects/use-config.ts';
import { usePageTitle } from '../ui/breadcrumbs.tsx';
import { shortSearch } from '../ui/short-search.ts';
import { useSearchChange } from '../ui/use-search-change.ts';

export const Route = createFileRoute('/_app/experiments/$experimentId')({
  ...shortSearch(experimentSearchSchema('traces')),
  staticData: { parent: { label: 'Experiments', to: '/experiments' } },
  loader: ({ context: { services }, params }) =>
    services.queryClient.ensureQueryData(
      objectQueryOptions(services.client, 'experiment', params.experimentId),
    ),
  component: Page,
});

/** The owner's own view: no share. One object, so that hooks get the same reference. */
const live = {};
/** The view of a person it was shared with, who opened the owner's address: the server finds the share. */
const shared = { shareId: '' };

function Page() {
  const client = useClient();
  const loaded = Route.useLoaderData();
  const search = Route.useSearch();
  const navigate = useNavigate();
  const [sharing, setSharing] = useState(false);
  const config = useConfig();
  // A documented server has no deletion and does not describe itself.
  const canDelete = config !== null;
  const experiment = unlessGone(
    useQuery({
      ...objectQueryOptions(client, 'experiment', loaded.short_id),
      initialData: loaded,
    }),
  ).data;
  // Our server names the owner, but not in what a share froze.
  const isShared = config && experiment.owner === undefined;
  const percent = experiment.status === 'RUN' ? percentDone(experiment) : null;
  usePageTitle(experiment.name || experiment.short_id, percent === null ? '' : `${percent} %`);
  const actions = useExperimentActions(experiment, {
    open: (id) => void navigate({ to: '/experiments/$experimentId', params: { experimentId: id } }),
    leave: () => void navigate({ to: '/experiments' }),
  });
  const page = {
    experiment: loaded,
    search,
    onSearchChange: useSearchChange({ inPlace: true }),
  };
  if (isShared) return <ExperimentPage key={loaded.short_id} {...page} access={shared} />;
  return (
    <>
      <ExperimentPage
        key={loaded.short_id}
        {...page}
        access={live}
        actions={{
          ...actions,
          onShare: () => setSharing(true),
          canControl: hasCapability(config, 'run_control'),
          canRetry: hasCapability(config, 'run_control'),
          canRetryChains: hasCapability(config, 'retry_chains'),
          canDelete,
          canLeaveOut: hasCapability(config, 'summary'),
          hasLogRange: hasCapability(config, 'log_range'),
          hasVersions: hasCapability(config, 'versions'),
        }}
        sharePanel={<OwnShares objectId={experiment.short_id} onShare={() => setSharing(true)} />}
      />
      {sharing && (
        <OwnShareDialog
          object={{
            kind: 'experiment',
            id: experiment.short_id,
            name: experiment.name || experiment.short_id,
            shownVariables: search.vars.length > 0 ? search.vars : rememberedVariables(experiment),
            hasNote: Boolean(experiment.meta?.note),
          }}
          onClose={() => setSharing(false)}
        />
      )}
    </>
  );
}
