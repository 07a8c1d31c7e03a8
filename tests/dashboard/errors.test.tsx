// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeExperiment, createFakeModel } from '../support/fake-objects.ts';
import { FakeServer } from '../support/fake-server.ts';
import { renderApp } from '../support/render-app.tsx';

describe('errors by kind', () => {
  it('gives a missing object a page of its own, in the same frame', async () => {
    renderApp(new FakeServer(), '/experiments/X0000009');
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy();
  });

  it('gives a forbidden one its own', async () => {
    const server = new FakeServer({ objects: [createFakeExperiment()] });
    server.failNext('viewObject', 'PERMISSION_DENIED', 'Not yours.');
    renderApp(server, '/experiments/X0000001');
    expect(await screen.findByRole('heading', { name: 'No access' })).toBeTruthy();
  });

  it('gives an unknown address its own', async () => {
    renderApp(new FakeServer(), '/no/such/page');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  });

  it('shows the message of the server for other refusals', async () => {
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
