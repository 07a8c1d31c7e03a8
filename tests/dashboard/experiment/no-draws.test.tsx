// Runs in a window.
import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChainProgress, Experiment } from '../../../src/contract/experiment.ts';
import { NoDraws } from '../../../src/dashboard/features/experiment/run/no-draws.tsx';
import type { LiveExperiment } from '../../../src/dashboard/features/experiment/run/use-live-experiment.ts';
import { isLiveStatus } from '../../../src/dashboard/objects/live-status.ts';
import { createFakeExperiment } from '../../support/fake-objects.ts';

afterEach(cleanup);

type Meta = NonNullable<Experiment['meta']>;

function textOf(status: string, meta: Meta = {}): string {
  const experiment = createFakeExperiment({ status, n_samples: 0, meta });
  // of a share, whose reader has no log to open
  const access = { shareId: 'S1' };
  const isLive = isLiveStatus(status);
  const live = { experiment, isLive, access, summaryError: null, retry() {} };
  const { container } = render(
    <MantineProvider>
      <NoDraws live={live as unknown as LiveExperiment} />
    </MantineProvider>,
  );
  return container.querySelector('p')?.textContent.trim() ?? '';
}

const chains = (...phases: ChainProgress['phase'][]) => ({
  progress: {
    done: 0,
    total: 10,
    chains: phases.map((phase, i) => ({
      name: `chain#${i + 1}`,
      phase,
      iteration: 0,
      of: 10,
      divergences: 0,
    })),
  },
});
const error = { code: 'PROGRAM_INVALID', message: '`J` is missing from the data' };

describe('the placeholder for draws', () => {
  it('announces draws soon only while a chain runs', () => {
    const soon = 'The first draws appear here in a moment.';
    expect(textOf('RUN', chains('warmup', 'waiting'))).toBe(soon);
    expect(textOf('RUN', chains('failed', 'sampling', 'waiting'))).toBe(soon);
    expect(textOf('RUN')).toBe(soon);
  });

  it('announces draws after warmup if none came in its first iterations', () => {
    const { progress } = chains('warmup', 'waiting');
    const later = progress.chains.map((chain) => ({ ...chain, iteration: 60 }));
    expect(textOf('RUN', { progress: { ...progress, chains: later } })).toBe(
      'Draws appear here once warmup has ended.',
    );
  });

  it.each<[string, Meta, string]>([
    ['NEW', {}, 'Draws appear here once a chain has started.'],
    ['RUN', chains('waiting', 'waiting'), 'Draws appear here once a chain has started.'],
    ['RUN', { ...chains('failed', 'warmup'), error }, 'This run failed before its first draw.'],
    ['RUN', chains('failed', 'failed'), 'This run is ending without draws.'],
    ['RUN', { run_info: { status: 'SAMPLE_FIN' } }, 'This run is ending without draws.'],
    ['RUN', { ...chains('warmup'), action: 'stopping' }, 'This run is ending without draws.'],
    [
      'RUN',
      { ...chains('waiting'), action: 'paused' },
      'This run is paused. Draws appear here once it is resumed.',
    ],
    [
      'RUN',
      { silent_since: '2026-01-01T00:00:00Z' },
      'Nothing has been received for more than five minutes: the runner may have stopped.',
    ],
    ['ERR', { error }, 'This run ended before its first draw.'],
    ['FIN', {}, 'This experiment has no draws.'],
  ])('explains a run in %s with %j', (status, meta, text) => {
    expect(textOf(status, meta)).toBe(text);
  });
});
