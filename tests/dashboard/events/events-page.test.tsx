// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { FakeFunctionServer } from '../../support/fake-function-server.ts';
import { renderApp } from '../../support/render-app.tsx';

// Boxes that grow measure their text again when fonts have come; happy-dom knows no fonts.
beforeAll(() => void Object.defineProperty(document, 'fonts', { value: new EventTarget() }));

const created_at = '2026-11-20T07:00:00Z';
const objects = () => [
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

describe('events, callbacks and relations', () => {
  it.each(['event', 'callback', 'relation'])(
    'say what a %s is while there is none',
    async (kind) => {
      renderApp(new FakeFunctionServer(), `/${kind}s`);
      expect(await screen.findByText(`No ${kind}s yet`)).toBeTruthy();
    },
  );
  it('makes an event and shows it', async () => {
    const fake = new FakeFunctionServer();
    renderApp(fake, '/events');
    fireEvent.click(await screen.findByRole('button', { name: 'New event' }));
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'weekly' } });
    fireEvent.click(screen.getByRole('button', { name: 'Create event' }));
    expect(await screen.findByRole('link', { name: 'weekly' })).toBeTruthy();
    await waitFor(() => expect(window.location.search).toContain('Enew0001'));
  });
  it('shows relations as links on both objects they join', async () => {
    renderApp(new FakeFunctionServer({ objects: objects() }), '/events?id=E0000001');
    const link = await screen.findByRole('link', { name: 'C0000001' });
    fireEvent.click(link);
    expect(await screen.findByText('export default () => 1')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'E0000001' })).toBeTruthy();
  });
  it('fires an event with parameters and a lock key', async () => {
    const fake = new FakeFunctionServer({ objects: objects() });
    renderApp(fake, '/events?id=E0000001');
    fireEvent.change(await screen.findByLabelText('Parameters'), { target: { value: '{"a":1}' } });
    fireEvent.change(screen.getByLabelText('Lock key'), { target: { value: 'one' } });
    fireEvent.click(screen.getByRole('button', { name: 'Fire event' }));
    expect(await screen.findByText('Fired.')).toBeTruthy();
    expect(fake.calls[0]).toMatchObject({ params: '{"a":1}', lock_key: 'one' });
  });
  it('deletes with a way back', async () => {
    const fake = new FakeFunctionServer({ objects: objects() });
    renderApp(fake, '/relations');
    fireEvent.click(await screen.findByLabelText('Select R0000001'));
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('No relations yet')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'R0000001' })).toBeTruthy();
  });
  it('makes a relation only of an event and what can be called', async () => {
    renderApp(new FakeFunctionServer(), '/relations');
    fireEvent.click(await screen.findByRole('button', { name: 'New relation' }));
    const create = await screen.findByRole('button', { name: 'Create relation' });
    fireEvent.change(screen.getByLabelText('Event'), { target: { value: 'M0000001' } });
    fireEvent.change(screen.getByLabelText('Calls'), { target: { value: 'C0000001' } });
    expect(create).toHaveProperty('disabled', true);
    fireEvent.change(screen.getByLabelText('Event'), { target: { value: 'E0000001' } });
    expect(create).toHaveProperty('disabled', false);
  });
});
