/** A new experiment: model, data and settings, then run. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { LaunchPage } from '../features/launch/launch-page.tsx';
import { configQueryOptions } from '../services.ts';

const idSearch = z.catch(z._default(z.string(), ''), '');

export const Route = createFileRoute('/_app/experiments/new')({
  validateSearch: z.object({ model: idSearch, data: idSearch }),
  staticData: { parent: { label: 'Experiments', to: '/experiments' }, title: 'New' },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const navigate = useNavigate({ from: Route.fullPath });
  const search = Route.useSearch();
  const config = useQuery(configQueryOptions(services.client)).data ?? null;
  return (
    <LaunchPage
      key={search.model}
      client={services.client}
      config={config}
      modelId={search.model}
      dataId={search.data}
      onChange={(change) =>
        void navigate({
          search: (before) => ({ ...before, ...change }),
          replace: true,
          resetScroll: false,
        })
      }
      onStarted={(experimentId) =>
        void navigate({ to: '/experiments/$experimentId', params: { experimentId } })
      }
    />
  );
}
