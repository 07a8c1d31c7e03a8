// Runs in a window.
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { createFakeExperiment, createFakeModel, minutesAgo } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

/** Checks no program: this is about runs that exist. */
class IdleWorker {
  postMessage(): void {}
  terminate(): void {}
}
beforeEach(() => {
  vi.stubGlobal('Worker', IdleWorker);
});

const run = (short_id: string, name: string, created: number) =>
  createFakeExperiment({
    short_id,
    name,
    created_at: minutesAgo(created),
    updated_at: minutesAgo(1),
  });

it('the last runs are shown by their own names, otherwise by id, with the time of their start', async () => {
  const tree = [
    { name: 'main.stan', type: 'file' as const, content: '', encoding: 'text' as const },
  ];
  const content = { meta: { entrance_file: 'main.stan' }, tree };
  const server = new FakeServer({
    objects: [
      createFakeModel({ name: 'Growth', content }),
      run('X0000001', 'Growth', 40),
      run('X0000002', 'Trial', 30),
      run('X0000003', 'Trial', 20),
      run('X0000004', 'Tighter prior', 10),
    ],
  });
  renderApp(server, '/models/M0000001');
  await screen.findByRole('heading', { level: 1, name: 'Growth' });
  const panel = within(await screen.findByRole('region', { name: 'Run' }));
  const named = await panel.findByRole('link', { name: 'Tighter prior' });
  expect(named.title).toBe('Tighter prior X0000004');
  const time = named.closest('li')?.querySelector('time');
  expect(time?.getAttribute('datetime')).toBe(minutesAgo(10));
  for (const id of ['X0000001', 'X0000002', 'X0000003'])
    expect(panel.getByRole('link', { name: id })).toBeTruthy();
  expect(panel.queryByRole('link', { name: 'Trial' })).toBeNull();
});
