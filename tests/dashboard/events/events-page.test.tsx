// Runs in a window.
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeFunctionServer } from '../../support/fake-function-server.ts';
import type { FakeObject } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const created_at = '2026-11-20T07:00:00Z';
const objects = (): FakeObject[] => [
  { object_type: 'event' as const, name: 'nightly', short_id: 'E0000001', created_at },
  {
    object_type: 'callback' as const,
    short_id: 'C0000001',
    lang: 'javascript',
    code: 'export default () => 1',
    token: '',
    created_at,
  },
  {
    object_type: 'relation' as const,
    short_id: 'R0000001',
    user_id: 1,
    object1_id: 'E0000001',
    object2_id: 'C0000001',
    created_at,
  },
];

describe('the pages of events, callbacks and relations', () => {
  it.each(['event', 'callback', 'relation'])(
    'show a message while there is no %s',
    async (kind) => {
      renderApp(new FakeFunctionServer(), `/${kind}s`);
      expect(await screen.findByText(`No ${kind}s yet`)).toBeTruthy();
    },
  );
  it('create an event and show it', async () => {
    const fake = new FakeFunctionServer();
    renderApp(fake, '/events');
    fireEvent.click(await screen.findByRole('button', { name: 'New event' }));
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'weekly' } });
    fireEvent.click(screen.getByRole('button', { name: 'Create event' }));
    expect(await screen.findByRole('link', { name: 'weekly' })).toBeTruthy();
    await waitFor(() => expect(window.location.search).toContain('Enew0001'));
  });
  it('show relations as links on both objects they join', async () => {
    renderApp(new FakeFunctionServer({ objects: objects() }), '/events?id=E0000001');
    const link = await screen.findByRole('link', { name: 'export default () => 1' });
    fireEvent.click(link);
    await waitFor(() => expect(window.location.pathname).toBe('/callbacks'));
    expect(await screen.findByRole('link', { name: 'nightly' })).toBeTruthy();
  });
  it('fire an event with parameters and a lock key', async () => {
    const fake = new FakeFunctionServer({ objects: objects() });
    renderApp(fake, '/events?id=E0000001');
    fireEvent.change(await screen.findByLabelText('Parameters'), { target: { value: '{"a":1}' } });
    fireEvent.change(screen.getByLabelText('Lock key'), { target: { value: 'one' } });
    fireEvent.click(screen.getByRole('button', { name: 'Fire event' }));
    expect(await screen.findByText('Fired.')).toBeTruthy();
    expect(fake.calls[0]).toMatchObject({ params: '{"a":1}', lock_key: 'one' });
  });
  it('delete with undo', async () => {
    const fake = new FakeFunctionServer({ objects: objects() });
    renderApp(fake, '/relations');
    fireEvent.click(await screen.findByLabelText('Select nightly calls export default () => 1'));
    fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('No relations yet')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(
      await screen.findByRole('link', { name: 'nightly calls export default () => 1' }),
    ).toBeTruthy();
  });
  it('create a relation between two names, with n for events that count draws', async () => {
    const every = {
      object_type: 'event' as const,
      name: 'experiment.every_n_samples',
      short_id: 'E0000009',
      tags: ['builtin'],
      created_at,
    };
    const fake = new FakeFunctionServer({ objects: [every, ...objects()] });
    renderApp(fake, '/relations?make=true&from=E0000009&to=C0000001');
    const n = await screen.findByLabelText('Every n draws');
    fireEvent.change(n, { target: { value: '250' } });
    fireEvent.click(screen.getByRole('button', { name: 'Create relation' }));
    await waitFor(() => expect(window.location.search).toContain('Rnew0001'));
    expect(fake.server.objects.get('Rnew0001')).toMatchObject({
      object1_id: 'E0000009',
      object2_id: 'C0000001',
      params: { n: 250 },
    });
  });
  it('create no relation while an end is missing', async () => {
    renderApp(new FakeFunctionServer({ objects: objects() }), '/relations?make=true&from=E0000001');
    const create = await screen.findByRole('button', { name: 'Create relation' });
    expect(create).toHaveProperty('disabled', true);
    expect(screen.queryByLabelText('Every n draws')).toBeNull();
  });
  it('explain the events that the server fires', async () => {
    const [event] = objects();
    const builtin = { ...event, name: 'experiment.failed', tags: ['builtin'] } as FakeObject;
    renderApp(new FakeFunctionServer({ objects: [builtin] }), '/events?id=E0000001');
    expect(
      await screen.findByText('experiment_id, batch_id, run_id, n_iteration, message'),
    ).toBeTruthy();
  });
  it('list the callbacks that ran, with errors', async () => {
    const run = {
      id: 1,
      target: 'C0000001',
      state: 'failed' as const,
      created_at,
      started_at: created_at,
      finished_at: created_at,
      milliseconds: 1500,
      error: 'a is not defined',
      log: '',
    };
    const [event, ...others] = objects();
    const fired = { ...event, runs: [run] } as FakeObject;
    renderApp(new FakeFunctionServer({ objects: [fired, ...others] }), '/events?id=E0000001');
    expect(await screen.findByText('a is not defined')).toBeTruthy();
    expect(screen.getByText('1.5 s')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeTruthy();
  });
  it('show where parameters are not JSON, and do not fire the event', async () => {
    renderApp(new FakeFunctionServer({ objects: objects() }), '/events?id=E0000001');
    fireEvent.change(await screen.findByLabelText('Parameters'), { target: { value: '{"a" 1}' } });
    expect(await screen.findByText('Line 1, column 6: a colon was expected.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Fire event' })).toHaveProperty('disabled', true);
  });
});
