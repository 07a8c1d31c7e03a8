// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { QueuedRun } from '../../../src/contract/queue.ts';
import {
  createFakeConfig,
  createFakeQueue,
  createFakeWorker,
  minutesAgo,
} from '../../support/fake-objects.ts';
import { FakeServer, type FakeServerOptions } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

function open(options: FakeServerOptions = {}) {
  const server = new FakeServer(options);
  return { server, ...renderApp(server, '/queue') };
}
const rowsOf = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1);
const run = (overrides: Partial<QueuedRun>): QueuedRun => ({
  experiment_id: 'X0000001',
  name: 'Mine',
  owner: 'ada(@1)',
  is_mine: true,
  run_on: 'local',
  waiting: 0,
  running: 4,
  progress: 0.999,
  priority: 0,
  place: null,
  since: minutesAgo(3),
  ...overrides,
});
const other = { experiment_id: null, name: '', owner: '', is_mine: false } as const;

describe('the page of the queue', () => {
  it('shows that nothing waits, and that no worker is connected', async () => {
    open();
    await screen.findByText('Nothing is running or waiting.');
    await screen.findByText(/No worker is connected, so nothing runs/);
    expect(screen.queryByRole('heading', { name: 'People and teams' })).toBeNull();
  });

  it('lists runs in their order, those of other people without a name', async () => {
    const waiting = { running: 0, waiting: 2, progress: null };
    open({
      queue: createFakeQueue({
        runs: [
          run({}),
          run({ ...other, ...waiting, place: 1 }),
          run({ ...other, ...waiting, place: 2 }),
        ],
        total: { runs: 250, waiting: 4, running: 4 },
      }),
    });
    const texts = (await rowsOf('Runs')).map((row) => row.textContent);
    expect(texts[0]).toMatch(/^RunningMine.*99 %/);
    expect(texts[1]).toMatch(/^Queued, 1stAnother person’s run–/);
    expect(texts[2]).toMatch(/^Queued, 2ndAnother person’s run–/);
    await screen.findByText('The first 3 of 250 runs.');
  });

  it('shows what each worker does and which is silent, with changes only for administrators', async () => {
    const { server, user } = open({
      queue: createFakeQueue({
        may_manage: true,
        workers: [
          createFakeWorker({
            runs: [
              {
                experiment_id: 'X0000001',
                name: 'Mine',
                owner: '',
                chains: [2],
                draws_per_second: 70,
              },
              { ...other, chains: [1, 3], draws_per_second: 30.4 },
            ],
          }),
          createFakeWorker({ id: 2, host: 'beta', can_retire: false, pools: ['gpu'] }),
          createFakeWorker({ id: 3, host: 'gamma', is_silent: true, heartbeat_at: minutesAgo(12) }),
        ],
      }),
    });
    const [first, second, third] = await rowsOf('Workers');
    expect(first.textContent).toContain('3 of 4100Mine chain 2, Another person’s run chains 1, 3');
    expect(second.textContent).toContain('gpu');
    expect(third.textContent).toMatch(/Silent, last seen .* ago.*any run/);
    await screen.findByText('room for 8');
    expect(screen.queryByRole('button', { name: 'Retire beta, process 100' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Drain beta, process 100' }));
    await screen.findByRole('button', { name: 'Resume beta, process 100' });
    await screen.findByText('room for 4');
    await user.click(screen.getByRole('button', { name: 'Retire alpha, process 100' }));
    await screen.findByText('Ending');
    expect(server.queue.workers.map((worker) => worker.desired_state)).toEqual([
      'retire',
      'drain',
      'work',
    ]);
  });

  it('describes a worker that submits jobs to a cluster', async () => {
    open({
      queue: createFakeQueue({ may_manage: true, workers: [createFakeWorker({ slots: 0 })] }),
    });
    const [submitter] = await rowsOf('Workers');
    expect(submitter.textContent).toContain('Submits jobs–');
    const drain = screen.getByRole('button', { name: 'Drain alpha, process 100' });
    expect(drain.title).toBe('Submit no more jobs');
  });

  it('is not offered where the server has none', async () => {
    open({ config: createFakeConfig({ capabilities: ['live'] }) });
    await screen.findByText('This server does not show its queue');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Queue' })).toBeNull());
  });
});
