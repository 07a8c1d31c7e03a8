// Runs in a window.

import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { formatDay } from '../../../src/dashboard/ui/dates.ts';
import {
  createFakeConfig,
  createFakeExperiment,
  createFakeModel,
  createFakeShare,
} from '../../support/fake-objects.ts';
import { FakeServer, type FakeServerOptions } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const shares = () => [
  createFakeShare({ password: '***', failed_attempts: 3, expires_at: '2027-01-31T12:00:00Z' }),
  createFakeShare({
    short_id: 'S0000002',
    experiment_id: 'M0000001',
    experiment_name: 'A model',
    to_user: 'mei(@2)',
  }),
];
const open = (address = '/shares', options: FakeServerOptions = {}) => {
  const server = new FakeServer({ objects: shares(), ...options });
  return { server, ...renderApp(server, address) };
};
const rowOf = async (name: string) => {
  const row = (await screen.findByRole('link', { name })).closest('tr');
  if (row === null) throw new Error(`no row of ${name}`);
  return within(row);
};

describe('shares by me', () => {
  it('show who sees what, from when until when, and the number of wrong passwords', async () => {
    open();
    const run = await rowOf('A run');
    expect(run.getByText('Link and password')).toBeTruthy();
    expect(run.getByText('experiment')).toBeTruthy();
    expect(run.getByText('Draws, plots, summary, labels')).toBeTruthy();
    expect(run.getByText('3 wrong passwords')).toBeTruthy();
    expect(run.getByText(formatDay(new Date('2027-01-31T12:00:00Z')))).toBeTruthy();
    const model = await rowOf('A model');
    expect(model.getByText('mei(@2)')).toBeTruthy();
    expect(model.getByText('Its files as they were')).toBeTruthy();
  });

  it('are revoked with undo', async () => {
    const { server, user } = open();
    await user.click((await rowOf('A run')).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(server.objects.has('S0000001')).toBe(false));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'A run' })).toBeTruthy();
  });

  it('change their password in place, shown once', async () => {
    const { server, user } = open();
    await user.click((await rowOf('A run')).getByRole('button', { name: 'Change' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByText('New password'));
    const box = await dialog.findByRole('textbox', { name: 'New password' });
    await user.clear(box);
    await user.type(box, 'reed-owl-42');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByDisplayValue('reed-owl-42')).toBeTruthy();
    const [{ body, params }] = server.callsOf('updateObject');
    expect(params.objid).toBe('S0000001');
    expect(body).toEqual({ payload: { object_type: 'share', password: 'reed-owl-42' } });
  });

  it('get a new link and lose the old one if the server cannot change a share', async () => {
    const { server, user } = open('/shares', { config: createFakeConfig({ capabilities: [] }) });
    await user.click((await rowOf('A run')).getByRole('button', { name: 'Change' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/A new link is made and the old one revoked/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Make a new link' }));
    expect(await dialog.findByDisplayValue(/\/s\/X0000001\/Snew0001$/)).toBeTruthy();
    expect(server.objects.has('S0000001')).toBe(false);
    expect(server.objects.has('Snew0001')).toBe(true);
  });

  it('keep the old link when a new one is refused', async () => {
    const { server, user } = open('/shares', { config: createFakeConfig({ capabilities: [] }) });
    await user.click((await rowOf('A run')).getByRole('button', { name: 'Change' }));
    server.failNext('createObject', 'INVALID_PARAMETER', 'Not so.');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Make a new link' }));
    expect(await dialog.findByText('Not changed: Not so.')).toBeTruthy();
    expect(server.objects.has('S0000001')).toBe(true);
  });

  it('cannot be changed on a documented server, as one line explains', async () => {
    const server = new FakeServer({ objects: shares() });
    server.failNext('viewConfig', 'NOT_FOUND');
    renderApp(server, '/shares');
    await screen.findByRole('link', { name: 'A run' });
    expect(screen.getByText(/can neither change nor revoke a share/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Revoke' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
    expect(screen.getAllByRole('button', { name: 'Copy link' })).toHaveLength(2);
  });

  it('are marked if their object was deleted, and can then only be revoked', async () => {
    open('/shares', { objects: [createFakeShare({ object_deleted: true })] });
    const mark = await screen.findByText('object deleted');
    const row = within(mark.closest('tr') as HTMLElement);
    expect(row.getByText('A run')).toBeTruthy();
    expect(row.queryByRole('link')).toBeNull();
    expect(row.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Revoke']);
  });

  it('say how to begin while there is none', async () => {
    open('/shares', { objects: [] });
    expect(await screen.findByText('Nothing is shared')).toBeTruthy();
  });

  it('say why they cannot be listed', async () => {
    const server = new FakeServer();
    server.failNext('listObjects', 'PERMISSION_DENIED', 'Not yours.');
    renderApp(server, '/shares');
    expect(await screen.findByText(/Not yours/)).toBeTruthy();
  });
});

describe('shares with me', () => {
  const info = {
    id: 1,
    password: '',
    user_id: '2',
    short_id: 'S0000009',
    from_user: 'mei(@2)',
    created_at: '2026-11-19T07:00:00Z',
  };

  it('link to the snapshot, by kind', async () => {
    const objects = [
      createFakeExperiment({ name: 'Her run', share_info: [info] }),
      createFakeModel({ name: 'Her model', share_info: [info] }),
    ];
    const { server, user } = open('/shares?tab=with-me', { objects });
    const row = await rowOf('Her run');
    expect(row.getByText('mei(@2)')).toBeTruthy();
    expect(row.getByText('no end date')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Her run' }).getAttribute('href')).toBe(
      '/s/X0000001/S0000009',
    );
    await user.click(screen.getByText('Models', { selector: 'label span' }));
    expect((await screen.findByRole('link', { name: 'Her model' })).getAttribute('href')).toBe(
      '/s/M0000001/S0000009',
    );
    const asked = server.callsOf('listObjects').filter(({ query }) => query.shared_with_me);
    expect(new Set(asked.map(({ query }) => query.object_type))).toEqual(
      new Set(['experiment', 'model']),
    );
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('open from a pasted link, with a hint on what a link is', async () => {
    const { user } = open('/shares?tab=with-me', { objects: [] });
    const box = await screen.findByRole('textbox', { name: 'Link to open' });
    await user.type(box, 'http://elsewhere/x');
    expect(screen.getByText(/A link ends in/)).toBeTruthy();
    await user.clear(box);
    await user.type(box, 'https://host/s/X0000001/S0000009{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/s/X0000001/S0000009'));
  });
});
