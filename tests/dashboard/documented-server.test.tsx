// Runs in a window.
/** Against a server with only the documented endpoints: what is missing is hidden, and nothing errors. */
import fs from 'node:fs';
import path from 'node:path';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataTabs } from '../../src/dashboard/features/data/data-search.ts';
import { experimentTabs } from '../../src/dashboard/features/experiment/run/experiment-search.ts';
import { installBrowserParts, settle } from '../support/browser-parts.ts';
import {
  createFakeData,
  createFakeModel,
  createFakeShare,
  createFakeWorkflow,
  minutesAgo,
} from '../support/fake-objects.ts';
import { drawn } from '../support/fake-plotly.ts';
import { FakeRun, type FakeRunOptions } from '../support/fake-run.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../support/fake-run-server.ts';
import type { FakeObject } from '../support/fake-server.ts';
import { FakeSocket } from '../support/fake-socket.ts';
import { quickenPolls } from '../support/quick-polls.ts';
import { renderApp } from '../support/render-app.tsx';

vi.mock('../../src/dashboard/editor/lazy-editor.ts', () => ({
  CodeEditor: () => null,
  DiffView: () => null,
  ReadView: () => null,
}));
// They ask the worker that checks programs, which does not exist here.
vi.mock('../../src/dashboard/features/experiment/page/remedies.tsx', () => ({
  Remedies: () => null,
}));
quickenPolls();

class SilentWorker {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
}

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
  (drawn.get(`Trace of ${variable}, one line per chain`) ?? []).map(({ x }) => x.length);
/** The only requests that may fail: what the server is, and who is signed in. */
function expectNothingElseMissed(server: FakeRunServer) {
  const wanted = new Set(server.missed.map((line) => line.replace(/\?.*/, '')));
  wanted.delete('GET /sys/config');
  wanted.delete('GET /base/user');
  expect([...wanted]).toEqual([]);
}

describe('with a documented server, a user', () => {
  it('signs in with a token', async () => {
    const server = new FakeRunServer({ documented: true, runs: [new FakeRun({ status: 'FIN' })] });
    const { services } = renderApp(server, '/experiments', { signedIn: false });
    installBrowserParts();
    await title('Sign in');
    const password = { selector: 'input[type="radio"]' };
    fireEvent.click(await screen.findByLabelText('Password', password));
    fireEvent.change(screen.getByLabelText('User name'), { target: { value: 'ada' } });
    const box = () =>
      screen.getByLabelText(/^(Password|Token)/, { selector: 'input[type="password"]' });
    fireEvent.change(box(), { target: { value: 'words' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText(/does not accept passwords/)).toBeTruthy();

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
  ])('sees the list at %s, with nothing to delete', async (address, name, row) => {
    const { server } = open(address);
    await title(name);
    expect(await screen.findByText(row)).toBeTruthy();
    // rows are selected to be compared, shared and tagged
    const boxes = screen.queryAllByRole('checkbox', { name: /^Select/ });
    expect(boxes.length > 0).toBe(address !== '/shares');
    const last = boxes.at(-1);
    if (last !== undefined) {
      fireEvent.click(last);
      expect(await screen.findByRole('toolbar', { name: 'Selection' })).toBeTruthy();
    }
    expect(screen.queryByRole('button', { name: /Delete|Revoke/ })).toBeNull();
    await settle(server.log);
    expectNothingElseMissed(server);
  });

  it('sees in Account what the server does not offer', async () => {
    const { server } = open('/account');
    expect(
      await screen.findByText(/This server does not offer: live draws, summaries/),
    ).toBeTruthy();
    expect(screen.queryByText('API tokens')).toBeNull();
    await settle(server.log);
    expectNothingElseMissed(server);
  });

  it('sees traces and a summary computed from the file of draws', async () => {
    const { server } = open('/experiments/X0000001', { status: 'FIN', numSamples: 400 });
    await title('Eight schools');
    await waitFor(() => expect(numDrawn('mu')).toHaveLength(4));
    expect(screen.queryByText(/divergent/)).toBeNull();
    fireEvent.click(screen.getByRole('tab', { name: /^Summary/ }));
    const table = await screen.findByRole('table');
    expect(await within(table).findByText('theta[2]')).toBeTruthy();
    // The file contains the sampler's columns, but the maximum tree depth that was set is not known.
    expect(screen.getByRole('region', { name: 'Verdict' }).textContent).toContain(
      "No draw reached tree depth 10, Stan's default limit (the run's own is not recorded).",
    );
    await settle(server.log);
    expect(server.asked('sampledata=true')).toHaveLength(1);
    expectNothingElseMissed(server);
  });

  it('sees what was not recorded', async () => {
    open('/experiments/X0000001', { status: 'FIN', numSamples: 400, withoutSampler: true });
    const sentence = 'No verdict: divergences, tree depths and energies are not recorded.';
    expect(await screen.findByText(sentence)).toBeTruthy();
    await waitFor(() => expect(numDrawn('mu')).toHaveLength(4));
  });

  it('watches a run, and gets the file of draws again at the end', async () => {
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

  it('reads the output of the program, without controls that only our own service has', async () => {
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

  it('shares, without an expiry or a way to revoke it', async () => {
    const { server } = open('/experiments/X0000001');
    fireEvent.click(await screen.findByRole('button', { name: 'Share' }));
    fireEvent.click(await screen.findByLabelText('Anyone with the link'));
    expect(screen.queryByLabelText('Expires')).toBeNull();
    expect(screen.queryByLabelText('Include program and data')).toBeNull();
    expect(await screen.findByText('Active shares')).toBeTruthy();
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

const joined: readonly FakeObject[] = [
  createFakeModel({ short_id: 'M0000002', name: 'A function', tags: ['code'] }),
  { object_type: 'event', name: 'nightly', short_id: 'E0000001', created_at: minutesAgo(9) },
  {
    object_type: 'callback',
    short_id: 'C0000001',
    lang: 'julia',
    code: 'f() = 1',
    token: '',
    created_at: minutesAgo(8),
  },
  {
    object_type: 'relation',
    short_id: 'R0000001',
    user_id: 1,
    object1_id: 'E0000001',
    object2_id: 'C0000001',
    created_at: minutesAgo(7),
  },
];

/** By file of `routes`: addresses, and a text on the page once it has loaded. */
const walk: Readonly<Record<string, readonly (readonly [address: string, words: RegExp])[]>> = {
  '_app.index': [['/', /^Eight schools$/]],
  '_app.models.index': [['/models', /^A model$/]],
  '_app.models.new': [['/models/new', /^Start blank$/]],
  '_app.models.$modelId': [
    ['/models/M0000001', /^model\.stan$/],
    ['/models/M0000001?tab=experiments', /^Eight schools$/],
    ['/models/M0000001?tab=versions', /not keep earlier versions/],
    ['/models/M0000001?tab=share', /^For whom$/],
    ['/models/M0000001?tab=info', /^Duplicate with another runtime$/],
  ],
  '_app.experiments.index': [['/experiments', /^Eight schools$/]],
  '_app.experiments.new': [['/experiments/new', /^What will run$/]],
  '_app.experiments.$experimentId': experimentTabs.map((tab) => [
    `/experiments/X0000001?tab=${tab}`,
    /^Eight schools$/,
  ]),
  '_app.experiments.compare': [['/experiments/compare?ids=X0000001,X0000002', /^Eight schools$/]],
  '_app.help.index': [['/help', /^Divergent transitions$/]],
  '_app.help.$page': [
    ['/help/language', /^Distributions$/],
    ['/help/news', /unreleased/],
  ],
  '_app.data.index': [['/data', /^schools\.json$/]],
  '_app.data.$dataId': dataTabs.map((tab) => [`/data/D0000001?tab=${tab}`, /^schools\.json$/]),
  '_app.workflows.index': [['/workflows', /^A workflow$/]],
  '_app.workflows.$workflowId': [['/workflows/F0000001', /^A workflow$/]],
  '_app.functions.index': [['/functions', /^A function$/]],
  '_app.functions.$modelId': [['/functions/M0000002', /^A function$/]],
  '_app.projects.index': [['/projects', /does not offer projects/]],
  '_app.projects.$projectId': [['/projects/P0000001', /does not offer projects/]],
  '_app.shares': [
    ['/shares', /^A run$/],
    ['/shares?tab=with-me', /^Eight schools$/],
  ],
  '_app.events': [
    ['/events', /^nightly$/],
    ['/events?id=E0000001', /^f\(\) = 1$/],
    ['/events?make=true', /^Create event$/],
  ],
  '_app.callbacks': [
    ['/callbacks?id=C0000001', /^nightly$/],
    ['/callbacks?make=true', /^Create callback$/],
  ],
  '_app.relations': [
    ['/relations?id=R0000001', /^nightly calls/],
    ['/relations?make=true', /^Create relation$/],
  ],
  '_app.notifications': [['/notifications', /^This server sends no notifications$/]],
  '_app.queue': [['/queue', /^This server does not show its queue$/]],
  '_app.account': [['/account', /This server does not offer/]],
};
/** Covered above; the page for unknown addresses is in errors.test.tsx. */
const walkedElsewhere = ['__root', '_app', '_app.$', 'sign-in', 's.$objectId.$shareId'];

/** Methods, paths and parameters of the documented API, and the two calls that say what else a server has. */
const documented: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^GET \/api\/object$/,
    'object_type page_no page_size with_share_info shared_by_me shared_with_me model_ids status run_on has_model tags workflow_id'.split(
      ' ',
    ),
  ],
  [
    /^GET \/api\/object\/[A-Z]\w{7}$/,
    'object_type share_id sampledata fmt n_iteration cloudwatch_log batch_id run_id view-analyzer stdlog'.split(
      ' ',
    ),
  ],
  [/^POST \/(api\/object(\/[A-Z]\w{7})?|invoke)$/, []],
  [/^GET \/(sys\/config|base\/user)$/, []],
  [/^GET \/(draws|files)\//, []],
];

function isDocumented(line: string): boolean {
  const [path, search = ''] = line.split('?');
  const names = [...new URLSearchParams(search).keys()];
  return documented.some(
    ([pattern, known]) => pattern.test(path) && names.every((name) => known.includes(name)),
  );
}

describe('every page of a documented server', () => {
  it('is listed here or in another test', () => {
    const files = fs.readdirSync(path.join(import.meta.dirname, '../../src/dashboard/routes'));
    // a leading dash: in the folder of routes, but not a route
    const routes = files
      .filter((file) => !file.startsWith('-'))
      .map((file) => file.replace(/\.tsx$/, ''));
    expect([...Object.keys(walk), ...walkedElsewhere].sort()).toEqual(routes.sort());
  });

  it.each(Object.values(walk).flat())(
    '%s loads completely, with documented requests only',
    async (address, words) => {
      vi.stubGlobal('Worker', SilentWorker);
      const objects = [
        createFakeModel(),
        createFakeData(),
        createFakeWorkflow(),
        createFakeShare(),
        createFakeShare({ short_id: 'S0000002', experiment_id: 'M0000001' }),
        ...joined,
      ];
      const runs = ['X0000001', 'X0000002'].map((id) => new FakeRun({ id, status: 'FIN' }));
      const { server } = open(
        address,
        {},
        { objects, runs, files: { '/files/schools.json': '{}' } },
      );
      expect(await screen.findAllByText(words)).not.toEqual([]);
      await screen.findByRole('heading', { level: 1 });
      await settle(server.log);
      expect(screen.queryAllByRole('alert').map(({ textContent }) => textContent)).toEqual([]);
      expect(server.log.filter((line) => !isDocumented(line))).toEqual([]);
      expect(screen.queryByRole('link', { name: /^Notifications/ })).toBeNull();
      expect(FakeSocket.opened).toEqual([]);
      expectNothingElseMissed(server);
    },
  );
});
