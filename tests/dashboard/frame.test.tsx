// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeShare,
} from '../support/fake-objects.ts';
import { FakeServer } from '../support/fake-server.ts';
import { renderApp } from '../support/render-app.tsx';

const objects = () => [
  createFakeExperiment({ name: 'Eight schools, centred', status: 'RUN' }),
  createFakeModel({ name: 'eight_schools' }),
  createFakeData({ name: 'lynx.json' }),
];

describe('the frame', () => {
  it('marks the current page, and shows how many runs are running', async () => {
    renderApp(new FakeServer({ objects: objects() }), '/models');
    const rail = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(rail.getByRole('link', { name: 'Models' }).getAttribute('aria-current')).toBe('page');
    expect(await rail.findByRole('link', { name: 'Experiments 1 running' })).toBeTruthy();
  });

  it('remembers that the rail was collapsed', async () => {
    const { user, unmount } = renderApp(new FakeServer(), '/models');
    await user.click(await screen.findByRole('button', { name: 'Collapse the menu' }));
    unmount();
    renderApp(new FakeServer(), '/models');
    expect(await screen.findByRole('button', { name: 'Expand the menu' })).toBeTruthy();
  });

  it('lists the shortcuts on ?, navigates on G M, and ignores keys while a user types', async () => {
    const { user } = renderApp(new FakeServer({ objects: objects() }), '/experiments');
    await screen.findByRole('link', { name: 'Eight schools, centred' });
    await user.keyboard('/');
    const box = screen.getByLabelText('Name or id');
    expect(document.activeElement).toBe(box);
    await user.keyboard('gm?');
    expect(window.location.pathname).toBe('/experiments');
    expect(screen.queryByRole('dialog')).toBeNull();

    box.blur();
    await user.keyboard('gm');
    await waitFor(() => expect(window.location.pathname).toBe('/models'));
    await user.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
  });
});

describe('the palette', () => {
  it('finds objects of every kind, and opens one on Enter', async () => {
    const { user } = renderApp(new FakeServer({ objects: objects() }), '/shares');
    await screen.findByRole('heading', { name: 'Shares' });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox'), 'eight');
    const found = await screen.findAllByRole('option');
    expect(found[0].textContent).toContain('Eight schools, centred');
    expect(found[1].textContent).toContain('eight_schools');
    expect(screen.getAllByText('Eight', { selector: 'b' })).not.toHaveLength(0);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/models/M0000001'));
  });
});

describe('the overview', () => {
  it('guides a new user in three steps', async () => {
    renderApp(new FakeServer(), '/');
    const steps = within(await screen.findByRole('list', { name: 'First steps' }));
    expect(steps.getAllByRole('listitem')).toHaveLength(3);
    expect(steps.getByRole('link', { name: 'Open the gallery' })).toBeTruthy();
  });

  it('shows that all is set up until this is hidden, and then requests no shares', async () => {
    const all = [...objects(), createFakeShare()];
    const { user, unmount } = renderApp(new FakeServer({ objects: all }), '/');
    await screen.findByText('You are set up');
    await user.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByText('You are set up')).toBeNull();
    unmount();

    const server = new FakeServer({ objects: all });
    renderApp(server, '/');
    await screen.findByRole('heading', { name: /Running now/ });
    expect(server.callsOf('listObjects').some(({ query }) => query.object_type === 'share')).toBe(
      false,
    );
  });

  it('stops a run from its card', async () => {
    const server = new FakeServer({ objects: objects() });
    const { user } = renderApp(server, '/');
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    await waitFor(() =>
      expect(server.callsOf('updateObject').at(-1)?.body).toMatchObject({
        payload: { object_type: 'experiment', action: 'stop' },
      }),
    );
  });
});

describe('the shares', () => {
  it('revokes with undo, and never shows a password', async () => {
    const server = new FakeServer({
      objects: [...objects(), createFakeShare({ password: '***' })],
    });
    const { user } = renderApp(server, '/shares');
    expect(await screen.findByText('Link and password')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(server.objects.has('S0000001')).toBe(false));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(server.objects.has('S0000001')).toBe(true));
  });

  it('does not open a pasted address that is not a share link', async () => {
    const { user } = renderApp(new FakeServer(), '/shares');
    const box = await screen.findByLabelText('Link to open');
    await user.type(box, 'https://elsewhere.test/x');
    expect(screen.getByRole('button', { name: 'Open' })).toHaveProperty('disabled', true);
  });
});
