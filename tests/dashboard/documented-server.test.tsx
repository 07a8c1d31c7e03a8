// @vitest-environment happy-dom
/** Against a server that has the documented endpoints only: what is missing is hidden, and nothing errors. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installBrowserParts, settle } from '../support/browser-parts.ts';
import {
  createFakeData,
  createFakeModel,
  createFakeShare,
  createFakeWorkflow,
} from '../support/fake-objects.ts';
import { drawn } from '../support/fake-plotly.ts';
import { FakeRun, type FakeRunOptions } from '../support/fake-run.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../support/fake-run-server.ts';
import { renderApp } from '../support/render-app.tsx';

vi.mock('../../src/dashboard/plots/plotly.ts', () => import('../support/fake-plotly.ts'));
// A second of the policy takes 100 ms here; the file's own pause is what keeps the file from being asked for again.
vi.mock('../../src/dashboard/features/live/poll-policy.ts', async (load) => {
  const policy = await load<typeof import('../../src/dashboard/features/live/poll-policy.ts')>();
  return {
    ...policy,
    nextPollDelay: (...input: Parameters<typeof policy.nextPollDelay>) => {
      const delay = policy.nextPollDelay(...input);
      return delay === null ? null : delay / 10;
    },
  };
});

const failures: unknown[][] = [];
beforeEach(() => {
  failures.length = 0;
  drawn.clear();
  vi.spyOn(console, 'error').mockImplementation((...words) => void failures.push(words));
});
afterEach(() => {
  expect(failures).toEqual([]);
  vi.restoreAllMocks();
});

function open(
  address: string,
  run: FakeRunOptions = { status: 'FIN' },
  options: FakeRunServerOptions = {},
) {
  const objects = [createFakeModel(), createFakeData(), createFakeWorkflow(), createFakeShare()];
  const made = new FakeRun(run);
  const server = new FakeRunServer({ documented: true, objects, runs: [made], ...options });
  const page = renderApp(server, address);
  installBrowserParts();
  return { server, run: made, ...page };
}
const title = (name: string) => screen.findByRole('heading', { level: 1, name: new RegExp(name) });
const numDrawn = (variable: string) =>
  (drawn.get(`Trace of ${variable}, one line a chain`) ?? []).map(({ x }) => x.length);
/** What it asked for in vain: what the server is, and who is signed in. */
function expectNothingElseMissed(server: FakeRunServer) {
  const wanted = new Set(server.missed.map((line) => line.replace(/\?.*/, '')));
  wanted.delete('GET /sys/config');
  wanted.delete('GET /base/user');
  expect([...wanted]).toEqual([]);
}

describe('with a documented server one', () => {
  it('signs in by a token', async () => {
    const server = new FakeRunServer({ documented: true, runs: [new FakeRun({ status: 'FIN' })] });
    const { services } = renderApp(server, '/experiments', { signedIn: false });
    installBrowserParts();
    await title('Sign in');
    fireEvent.click(screen.getByLabelText('Password', { selector: 'input[type="radio"]' }));
    fireEvent.change(screen.getByLabelText('User name'), { target: { value: 'ada' } });
    const box = () =>
      screen.getByLabelText(/^(Password|Token)/, { selector: 'input[type="password"]' });
    fireEvent.change(box(), { target: { value: 'words' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText(/takes no passwords/)).toBeTruthy();

    fireEvent.click(screen.getByLabelText('Token', { selector: 'input[type="radio"]' }));
    await waitFor(() => expect(box()).toHaveProperty('value', ''));
    fireEvent.change(box(), { target: { value: server.token } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await title('Experiments');
    expect(services.session.credentials()?.token).toBe(server.token);
    expect(await screen.findByRole('link', { name: 'Eight schools' })).toBeTruthy();
  });

  it.each([
    ['/experiments', 'Experiments', 'Eight schools'],
    ['/models', 'Models', 'A model'],
    ['/data', 'Data', 'schools.json'],
    ['/workflows', 'Workflows', 'A workflow'],
    ['/shares', 'Shares', 'A run'],
  ])('lists %s, with nothing to delete', async (address, name, row) => {
    const { server } = open(address);
    await title(name);
    expect(await screen.findByText(row)).toBeTruthy();
    // experiments are selected to be compared and shared
    const boxes = screen.queryAllByRole('checkbox', { name: /^Select/ });
    expect(boxes.length > 0).toBe(address === '/experiments');
    for (const box of boxes) fireEvent.click(box);
    expect(screen.queryByRole('button', { name: /Delete|Revoke/ })).toBeNull();
    await settle(server.log);
    expectNothingElseMissed(server);
  });

  it('is told in Account what the server does not offer', async () => {
    const { server } = open('/account');
    expect(
      await screen.findByText(/This server does not offer: live draws, summaries/),
    ).toBeTruthy();
    expect(screen.queryByText('API tokens')).toBeNull();
    await settle(server.log);
    expectNothingElseMissed(server);
  });

  it('sees traces and summary from the file of draws', async () => {
    const { server } = open('/experiments/X0000001', { status: 'FIN', numSamples: 400 });
    await title('Eight schools');
    await waitFor(() => expect(numDrawn('mu')).toHaveLength(4));
    expect(screen.queryByText(/divergent/)).toBeNull();
    fireEvent.click(screen.getByRole('tab', { name: /^Summary/ }));
    const table = await screen.findByRole('table');
    expect(await within(table).findByText('theta[2]')).toBeTruthy();
    // The sampler's columns are in the file; the tree depth it was told to stop at is not known.
    expect(screen.getByRole('region', { name: 'Verdict' }).textContent).toContain(
      'Not recorded: tree depth',
    );
    await settle(server.log);
    expect(server.asked('sampledata=true')).toHaveLength(1);
    expectNothingElseMissed(server);
  });

  it('is told what was not recorded', async () => {
    open('/experiments/X0000001', { status: 'FIN', numSamples: 400, withoutSampler: true });
    expect(await screen.findByText('Not recorded: divergences, tree depth, E-BFMI')).toBeTruthy();
    await waitFor(() => expect(numDrawn('mu')).toHaveLength(4));
  });

  it('watches a run: the file again when it has ended', async () => {
    const run = new FakeRun();
    run.advance(60);
    const { server } = open('/experiments/X0000001', {}, { runs: [run] });
    await waitFor(() => expect(numDrawn('mu')).toEqual([20, 20, 20, 20]));
    const strip = screen.getByRole('list', { name: 'Chains' });
    expect(strip.textContent).toBe('Chain 120Chain 220Chain 320Chain 420');
    for (let i = 0; i < 3; i++) {
      run.advance(20);
      const asked = server.asked('GET /api/object/X0000001').length;
      await waitFor(() =>
        expect(server.asked('GET /api/object/X0000001').length).toBeGreaterThan(asked),
      );
    }
    expect(server.asked('sampledata=true')).toHaveLength(1);
    run.finish();
    await waitFor(() => expect(numDrawn('mu')).toEqual([120, 120, 120, 120]));
    expect(server.asked('sampledata=true')).toHaveLength(2);
    expect(screen.getByText('Finished')).toBeTruthy();
    await settle(server.log);
    expectNothingElseMissed(server);
  });

  it('reads the output of the program, without what only ours has', async () => {
    const { server } = open(
      '/experiments/X0000001?tab=logs',
      { status: 'FIN' },
      { log: 'hello\n' },
    );
    expect((await screen.findByRole('log')).textContent).toBe('hello');
    expect(screen.queryByText('Platform')).toBeNull();
    for (const name of ['Delete', 'Pause', 'Stop and keep draws']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    expectNothingElseMissed(server);
  });

  it('shares, without an end or a way to take it back', async () => {
    const { server } = open('/experiments/X0000001');
    fireEvent.click(await screen.findByRole('button', { name: 'Share' }));
    fireEvent.click(await screen.findByLabelText('Anyone with the link'));
    expect(screen.queryByLabelText('Ends')).toBeNull();
    expect(screen.queryByLabelText('Include program and data')).toBeNull();
    expect(await screen.findByText('Live shares')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Revoke' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Create link' }));
    const link = await screen.findByLabelText<HTMLInputElement>('Link');
    expect(link.value).toMatch(/\/s\/X0000001\/S\w{7}$/);
    expect(server.objects.callsOf('createObject')[0].body).toEqual({
      payload: { object_type: 'share', objid: 'X0000001', password: '', target_user: '' },
    });
  });

  it('opens a share', async () => {
    const objects = [createFakeShare()];
    const runs = [new FakeRun({ status: 'FIN' })];
    const sharePasswords = { S0000001: 'quiet' };
    const server = new FakeRunServer({ documented: true, objects, runs, sharePasswords });
    renderApp(server, '/s/X0000001/S0000001?tab=traces', { signedIn: false });
    installBrowserParts();
    fireEvent.change(await screen.findByLabelText('Password', { selector: 'input' }), {
      target: { value: 'quiet' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Open snapshot' }));
    await title('Eight schools');
    await waitFor(() => expect(numDrawn('theta[1]')).toHaveLength(4));
    expect(server.asked('sampledata=true')[0]).toContain('share_id=S0000001');
    expectNothingElseMissed(server);
  });
});
