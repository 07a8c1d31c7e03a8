/** A new experiment: a run of a model on data, or draws that were sampled elsewhere. */
import { Tabs } from '@mantine/core';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { LaunchPage } from '../features/launch/launch-page.tsx';
import { objectQueryOptions } from '../objects/object-queries.ts';
import { useConfig } from '../objects/use-config.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { PageHead } from '../ui/page-head.tsx';
import { shortSearch } from '../ui/short-search.ts';
import { TabStrip } from '../ui/tab-strip.tsx';
import { useSearchChange } from '../ui/use-search-change.ts';

// Most users come to run a model.
const ImportPage = lazyPart(() => import('../features/import-draws/import-page.tsx'), 'ImportPage');

const idSearch = z.catch(z._default(z.string(), ''), '');

export const Route = createFileRoute('/_app/experiments/new')({
  ...shortSearch(
    z.object({
      model: idSearch,
      data: idSearch,
      /** The experiment to repeat. */
      again: idSearch,
      way: z.catch(z._default(z.enum(['run', 'import']), 'run'), 'run'),
    }),
  ),
  loaderDeps: ({ search: { again } }) => ({ again }),
  // If an experiment cannot be read, the form stays as for a new one.
  loader: async ({ context: { services }, deps: { again } }) =>
    again === ''
      ? null
      : services.queryClient
          .ensureQueryData(objectQueryOptions(services.client, 'experiment', again))
          .catch(() => null),
  staticData: { parent: { label: 'Experiments', to: '/experiments' }, title: 'New' },
  component: Page,
});

function Page() {
  const navigate = useNavigate();
  const search = Route.useSearch();
  const again = Route.useLoaderData();
  const config = useConfig() ?? null;
  const open = (experimentId: string) =>
    void navigate({ to: '/experiments/$experimentId', params: { experimentId } });
  const change = useSearchChange<typeof search>({ inPlace: true });
  const ways = (
    <Tabs
      value={search.way}
      onChange={(way) => change({ way: way === 'import' ? 'import' : 'run' })}
    >
      <TabStrip open={search.way} aria-label="Where the draws come from">
        <Tabs.Tab value="run">Run a model</Tabs.Tab>
        <Tabs.Tab value="import">Import finished draws</Tabs.Tab>
      </TabStrip>
    </Tabs>
  );
  if (search.way === 'import') {
    return (
      <>
        <PageHead title="New experiment" />
        {ways}
        <ImportPage config={config} onImported={open} />
      </>
    );
  }
  return (
    <LaunchPage
      key={`${search.model} ${search.again}`}
      config={config}
      modelId={search.model}
      dataId={search.data}
      again={again}
      ways={ways}
      onChange={change}
      onStarted={open}
    />
  );
}
