// Runs in a window.
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { MomentMatching } from '../../../src/dashboard/features/experiment/plots/moment-matching.tsx';
import type { LiveExperiment } from '../../../src/dashboard/features/experiment/run/use-live-experiment.ts';
import { configQueryOptions } from '../../../src/dashboard/objects/server.ts';
import { ClientContext } from '../../../src/dashboard/objects/use-client.ts';
import type { Loo } from '../../../src/posterior/loo.ts';
import { createFakeConfig, createFakeExperiment } from '../../support/fake-objects.ts';

afterEach(cleanup);

function offerFor(num_high_k: number): string {
  const client = {} as Client;
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  queryClient.setQueryData(
    configQueryOptions(client).queryKey,
    createFakeConfig({ capabilities: ['moment_matching'] }),
  );
  const experiment = createFakeExperiment({ meta: { settings: { algorithm: 'nuts' } } });
  const { container } = render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <ClientContext value={client}>
          <MomentMatching
            live={{ experiment, access: {} } as unknown as LiveExperiment}
            loo={{ num_high_k, threshold: 0.66 } as Loo}
          />
        </ClientContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return container.querySelector('p')?.textContent ?? '';
}

it('the offer of moment matching speaks of one observation as of one', () => {
  expect(offerFor(1)).toContain(
    '1 observation has a Pareto k above 0.66: what it contributes to elpd may be far off. ' +
      'Moment matching moves the draws for it until their weights are reliable.',
  );
});

it('the offer of moment matching speaks of several observations as of several', () => {
  expect(offerFor(3)).toContain(
    '3 observations have a Pareto k above 0.66: what they contribute to elpd may be far off. ' +
      'Moment matching moves the draws for each of them until their weights are reliable.',
  );
});
