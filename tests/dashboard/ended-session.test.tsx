// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeExperiment, createFakeModel, createFakeToken } from '../support/fake-objects.ts';
import { FakeServer } from '../support/fake-server.ts';
import '../support/browser-parts.ts';
import { renderApp } from '../support/render-app.tsx';

vi.mock('../../src/dashboard/editor/lazy-editor.ts', () => ({
  CodeEditor: () => null,
  DiffView: () => null,
  ReadView: () => null,
}));

class SilentWorker {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
  addEventListener(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', SilentWorker);
  // No draft can be saved here, so the page asks before it is left.
  vi.stubGlobal('confirm', () => true);
});

const signIn = () => screen.findByRole('heading', { name: 'Sign in to Ergodic' });

describe('a session that the server has ended', () => {
  it('is noticed when something is read', async () => {
    const server = new FakeServer({ objects: [createFakeModel()] });
    server.failNext('listObjects', 'UNAUTHORIZED', 'The token has expired.');
    renderApp(server, '/models');
    expect(await signIn()).toBeTruthy();
  });

  it('is noticed when something is saved, and signing in again leads back to the page', async () => {
    const server = new FakeServer({ tokens: [createFakeToken({ token_name: 'laptop' })] });
    const { user, services } = renderApp(server, '/account');
    await user.click(await screen.findByRole('button', { name: 'Rename laptop' }));
    server.failNext('updateToken', 'UNAUTHORIZED', 'The token has expired.');
    await user.type(screen.getByLabelText('New name of laptop'), ' two{Enter}');
    expect(await signIn()).toBeTruthy();
    expect(services.session.credentials()).toBeNull();
    expect(new URL(window.location.href).searchParams.get('redirect')).toBe('/account');
    expect(await screen.findByText(/Not renamed: The token has expired\./)).toBeTruthy();
  });

  it('is noticed when something is deleted', async () => {
    const server = new FakeServer({ objects: [createFakeExperiment()] });
    const { user } = renderApp(server, '/experiments/X0000001');
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    const remove = await screen.findByRole('menuitem', { name: 'Delete', hidden: true });
    server.failNext('deleteObjects', 'UNAUTHORIZED', 'The token has expired.');
    await user.click(remove);
    expect(await signIn()).toBeTruthy();
  });

  it('is noticed when the files of a model are saved', async () => {
    const server = new FakeServer({ objects: [createFakeModel()] });
    const { user } = renderApp(server, '/models/M0000001?tab=info');
    const file = await screen.findByLabelText('Entrance function');
    await user.type(file, 'main');
    server.failNext('updateObject', 'UNAUTHORIZED', 'The token has expired.');
    await user.keyboard('{Control>}s{/Control}');
    expect(await signIn()).toBeTruthy();
  });

  it('is distinguished from another refusal', async () => {
    const server = new FakeServer({ tokens: [createFakeToken({ token_name: 'laptop' })] });
    const { user, services } = renderApp(server, '/account');
    await user.click(await screen.findByRole('button', { name: 'Rename laptop' }));
    server.failNext('updateToken', 'PERMISSION_DENIED', 'Not yours.');
    await user.type(screen.getByLabelText('New name of laptop'), ' two{Enter}');
    expect(await screen.findByText(/Not renamed: Not yours\./)).toBeTruthy();
    await waitFor(() => expect(services.session.credentials()).not.toBeNull());
  });
});
