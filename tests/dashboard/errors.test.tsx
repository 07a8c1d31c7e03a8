// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeExperiment, createFakeModel } from '../support/fake-objects.ts';
import { FakeServer } from '../support/fake-server.ts';
import { renderApp } from '../support/render-app.tsx';

describe('errors by kind', () => {
  it('shows a page for a missing object, in the same frame', async () => {
    renderApp(new FakeServer(), '/experiments/X0000009');
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
  });

  it('shows a page for a forbidden object', async () => {
    const server = new FakeServer({ objects: [createFakeExperiment()] });
    server.failNext('viewObject', 'PERMISSION_DENIED', 'Not yours.');
    renderApp(server, '/experiments/X0000001');
    expect(await screen.findByRole('heading', { name: 'No access' })).toBeTruthy();
  });

  it.each(['/no/such/page', '/help/nothing'])(
    'shows a page for an unknown address, in the frame: %s',
    async (address) => {
      const { user } = renderApp(new FakeServer(), address);
      expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
      expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
      await waitFor(() => expect(document.title).toBe('Page not found'));
      await user.click(screen.getByRole('button', { name: 'Overview' }));
      expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy();
    },
  );

  it('leads users who are not signed in from an unknown address to the sign-in page', async () => {
    const { user } = renderApp(new FakeServer(), '/no/such/page', { signedIn: false });
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('heading', { name: 'Sign in to Ergodic' })).toBeTruthy();
  });

  it.each(['/s', '/s/X0000001', '/s/X0000001/S0000001/more'])(
    'leads from an incomplete link to a snapshot to no other page: %s',
    async (address) => {
      renderApp(new FakeServer(), address, { signedIn: false });
      expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
      expect(screen.getByText(/Ask the person who sent it for the full link/)).toBeTruthy();
      expect(screen.queryAllByRole('link')).toEqual([]);
      expect(screen.queryByRole('button', { name: /Sign in|Overview/ })).toBeNull();
    },
  );

  it('shows the message of the server for other errors', async () => {
    const server = new FakeServer({ objects: [createFakeModel()] });
    server.failNext('listObjects', 'LIMIT_EXCEEDED', 'No more than 7 lists an hour.');
    server.failNext('listObjects', 'LIMIT_EXCEEDED', 'No more than 7 lists an hour.');
    renderApp(server, '/models');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'No more than 7 lists an hour.',
    );
  });

  it('says in the banner that the connection is lost, and recovers by itself', async () => {
    const server = new FakeServer({ objects: [createFakeModel()] });
    const { user, services } = renderApp(server, '/models');
    await screen.findByRole('link', { name: 'A model' });
    services.queryClient.setDefaultOptions({ queries: { retry: false } });
    for (let i = 0; i < 6; i++) server.failNext('listObjects', 'offline');
    await services.queryClient.refetchQueries({ queryKey: ['models'] });
    expect(await screen.findByText('Connection lost.')).toBeTruthy();
    // what was there stays
    expect(screen.getByRole('link', { name: 'A model' })).toBeTruthy();

    server.recover();
    await user.click(screen.getByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(screen.queryByText('Connection lost.')).toBeNull());
  });
});
