// Runs in a window.
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { installBrowserParts, settle } from '../../support/browser-parts.ts';
import { createFakeShare } from '../../support/fake-objects.ts';
import { drawn } from '../../support/fake-plotly.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  drawn.clear();
});

const address = '/s/X0000001/S0000001';
function open(
  options: FakeRunServerOptions = {},
  { run = new FakeRun({ status: 'FIN' }), signedIn = false, token = '' } = {},
) {
  const objects = [createFakeShare({ short_id: 'S0000001' })];
  const server = new FakeRunServer({ runs: [run], objects, ...options });
  const page = renderApp({ fetch: server.fetch, token: token || server.token }, address, {
    signedIn,
  });
  installBrowserParts();
  return { server, run, ...page };
}
const locked = { sharePasswords: { S0000001: 'quiet-fjord-42' } };
async function enter(password: string, remember = false) {
  fireEvent.change(await screen.findByLabelText('Password', { selector: 'input' }), {
    target: { value: password },
  });
  if (remember) fireEvent.click(screen.getByLabelText('Remember until this tab closes'));
  fireEvent.click(screen.getByRole('button', { name: 'Open snapshot' }));
}
const title = () => screen.findByRole('heading', { level: 1, name: 'Eight schools' });

describe('a shared snapshot', () => {
  it('shows what was shared with anyone, read-only', async () => {
    open();
    await title();
    await screen.findByText('Summary');
    expect(screen.queryByRole('link', { name: 'Run again' })).toBeNull();
    for (const name of ['Share', 'Delete', 'More actions', 'Pause', 'Stop and keep draws']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    expect(screen.queryByText('Logs')).toBeNull();
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
    expect(screen.getAllByRole('main')).toHaveLength(1);
  });

  it('never polls, even if taken during a run, and is marked as such', async () => {
    const run = new FakeRun();
    run.advance(90);
    const { server } = open({}, { run });
    await title();
    expect(await screen.findByText('Running when shared')).toBeTruthy();
    await screen.findByText('Too early to tell.');
    await settle(server.log);
    const asked = server.log.length;
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('focus'));
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(server.log.slice(asked)).toEqual([]);
  });

  it('has a date of draws only if there are some', async () => {
    const failed = new FakeRun({ status: 'ERR' });
    open({}, { run: failed });
    await title();
    expect(await screen.findByText(/^frozen, ended/)).toBeTruthy();
    expect(screen.queryByText(/draws from/)).toBeNull();
  });

  it('states exactly how many values its files contain, though it reports no progress', async () => {
    const run = new FakeRun({ status: 'FIN', numSamples: 100 });
    run.leftOut = ['chain#4'];
    open({}, { run });
    await title();
    fireEvent.click(screen.getByRole('tab', { name: 'Files' }));
    const row = await screen.findByRole('article', { name: 'Draws as CSV' });
    // four variables, `lp__`, the sampler's six columns, and the mark of the chain left out
    await waitFor(() => expect(row.textContent).toMatch(/; 4\s800 values\./));
  });

  it('includes its share in every request', async () => {
    const { server } = open();
    await title();
    fireEvent.click(screen.getByRole('tab', { name: 'Traces' }));
    await waitFor(() => expect(drawn.size).toBe(4));
    await settle(server.log);
    const about = server.log.filter((line) => line.includes('X0000001'));
    expect(about).toHaveLength(3);
    for (const line of about) expect(line).toContain('share_id=S0000001');
    expect(server.log.join()).not.toMatch(/base\/user|status=RUN|phase=warmup/);
  });

  it('opens with the right password after a wrong one, and keeps it out of addresses', async () => {
    const { server } = open(locked);
    await enter('wrong', true);
    expect(await screen.findByText('Wrong password. Try again.')).toBeTruthy();
    expect(sessionStorage.length).toBe(0);
    await enter('quiet-fjord-42');
    await title();
    await settle(server.log);
    expect(server.log.join() + window.location.href + document.title).not.toContain('quiet');
    expect(sessionStorage.getItem('ergodic.share.S0000001')).toBe('quiet-fjord-42');
  });

  it('forgets a remembered password that has been changed', async () => {
    sessionStorage.setItem('ergodic.share.S0000001', 'old');
    open(locked);
    expect(await screen.findByText('Wrong password. Try again.')).toBeTruthy();
    expect(sessionStorage.getItem('ergodic.share.S0000001')).toBeNull();
  });

  it('opens for a user whose session has ended', async () => {
    const { services } = open({}, { signedIn: true, token: 'erg_old' });
    await title();
    expect(services.session.credentials()).toBeNull();
    expect(window.location.pathname).toBe(address);
  });

  it('says that it is gone', async () => {
    open({ objects: [] });
    expect(await screen.findByText('Snapshot not found')).toBeTruthy();
  });

  it('says that the server cannot be reached, and opens on *Try again*', async () => {
    const objects = [createFakeShare({ short_id: 'S0000001' })];
    const server = new FakeRunServer({ runs: [new FakeRun({ status: 'FIN' })], objects });
    server.trouble = 'offline';
    renderApp(server, address, { signedIn: false });
    installBrowserParts();
    expect(await screen.findByText('The snapshot could not be opened')).toBeTruthy();
    server.trouble = null;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await title();
  });
});
