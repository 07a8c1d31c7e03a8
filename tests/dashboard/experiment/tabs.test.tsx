// Runs in a window.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Experiment } from '../../../src/contract/experiment.ts';
import { installBrowserParts, settle } from '../../support/browser-parts.ts';
import { drawn } from '../../support/fake-plotly.ts';
import { FakeRun, type FakeRunOptions } from '../../support/fake-run.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

// Loaded once, so that the first test need not wait for what pages load on opening.
beforeAll(async () => {
  await Promise.all([
    import('../../../src/dashboard/features/experiment/plots/traces-tab.tsx'),
    import('../../../src/dashboard/features/experiment/summary/summary-tab.tsx'),
    import('../../../src/dashboard/features/experiment/plots/posterior-tab.tsx'),
    import('../../../src/dashboard/features/experiment/plots/diagnostics-tab.tsx'),
    import('../../../src/dashboard/features/experiment/plots/pairs-tab.tsx'),
    import('../../../src/dashboard/features/experiment/logs/logs-tab.tsx'),
    import('../../../src/dashboard/features/experiment/page/run-info-tab.tsx'),
    import('../../../src/dashboard/features/experiment/files/files-tab.tsx'),
    import('../../../src/dashboard/features/experiment/page/experiment-page.tsx'),
    import('../../../src/dashboard/plots/figure-request.ts'),
  ]);
}, 60_000);

beforeEach(() => drawn.clear());

function open(search: string, run: FakeRunOptions = {}, options: FakeRunServerOptions = {}) {
  const server = new FakeRunServer({
    runs: [new FakeRun({ status: 'FIN', ...run })],
    ...options,
  });
  const page = renderApp(server, `/experiments/X0000001${search}`);
  installBrowserParts();
  return { server, ...page };
}

/** The page of a run whose answer differs in some fields. */
function openAs(run: FakeRun, fields: Partial<Experiment>, search = '') {
  const plain = run.experiment.bind(run);
  run.experiment = (options) => ({ ...plain(options), ...fields });
  return open(search, {}, { runs: [run] });
}

describe('the posterior', () => {
  it('is a forest of all variables, and curves by chain on request', async () => {
    const { user } = open('?tab=posterior');
    await waitFor(() => expect(drawn.has('Intervals of 4 variables')).toBe(true));
    await user.click(await screen.findByRole('radio', { name: 'Density' }));
    await waitFor(() => expect(drawn.get('Density of tau, one line per chain')).toHaveLength(4));
    await user.click(screen.getByRole('radio', { name: 'All together' }));
    await waitFor(() => expect(drawn.has('Density of tau, all chains together')).toBe(true));
    expect(window.location.search).toContain('chains=together');
  });

  it('shares the choice of variables with the traces', async () => {
    open('?tab=posterior&view=ecdf&vars=%5B%22theta%22%5D');
    await waitFor(() =>
      expect(drawn.has('Distribution function of theta[2], one line per chain')).toBe(true),
    );
    expect([...drawn.keys()].some((label) => label.includes('of mu'))).toBe(false);
    fireEvent.click(screen.getByRole('tab', { name: 'Traces' }));
    await waitFor(() => expect(drawn.has('Trace of theta[1], one line per chain')).toBe(true));
    expect(drawn.has('Trace of mu, one line per chain')).toBe(false);
  });
});

describe('a plot’s card', () => {
  it('switches to the table of its numbers from its menu, and back', async () => {
    const { user } = open('?tab=posterior&view=histogram&vars=%5B%22mu%22%5D');
    const card = await screen.findByRole('article', { name: 'Histogram of mu' });
    await user.click(await within(card).findByRole('button', { name: 'Menu of Histogram of mu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Show as table' }));
    const table = await within(card).findByRole('table');
    expect(within(table).getAllByRole('columnheader').length).toBeGreaterThan(1);
    expect(Number(table.getAttribute('aria-rowcount'))).toBeGreaterThan(5);
    await user.click(within(card).getByRole('button', { name: 'Menu of Histogram of mu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Show the plot' }));
    await waitFor(() => expect(within(card).queryByRole('table')).toBeNull());
  });
});

describe('the diagnostics', () => {
  it('show the sampler and the worst variable first', async () => {
    open('?tab=diagnostics', { shifts: { 2: 2 } });
    await waitFor(() => expect(drawn.has('Energy and E-BFMI')).toBe(true));
    await waitFor(() => expect(drawn.has('Tree depth')).toBe(true));
    await waitFor(() =>
      expect([...drawn.keys()].some((label) => label.startsWith('Ranks, ECDF difference of'))).toBe(
        true,
      ),
    );
    const select = screen.getByRole<HTMLInputElement>('combobox', { name: 'Variable' });
    await waitFor(() => expect(drawn.has(`Autocorrelation of ${select.value}`)).toBe(true));
  });

  it('show divergences across parameters, not across observations', async () => {
    const perObservation = ['log_lik[1]', 'log_lik[2]', 'y_rep[1]', 'y_rep[2]'];
    open('?tab=diagnostics', { variables: ['mu', 'tau', ...perObservation], divergent: [[1, 9]] });
    const label = 'Divergent draws across variables';
    await waitFor(() => expect(drawn.has(label)).toBe(true));
    const lines = drawn.get(label)?.[0] as unknown as { readonly x: readonly (number | null)[] };
    expect(lines.x.slice(0, 3)).toEqual([0, 1, null]);
  });

  it('say what was not recorded', async () => {
    open('?tab=diagnostics', { withoutSampler: true });
    const card = await screen.findByRole('article', { name: 'Energy and E-BFMI' });
    expect(await within(card).findByText('Not recorded.')).toBeTruthy();
    expect(await screen.findByText('Divergences: not recorded.')).toBeTruthy();
  });

  it('open from the divergences in the verdict', async () => {
    open('', { numSamples: 400, divergent: [[1, 9]] });
    fireEvent.click(await screen.findByRole('button', { name: /1 draw diverged/ }));
    await waitFor(() => expect(window.location.search).toContain('tab=diagnostics'));
    await waitFor(() => expect(drawn.has('Divergent draws across variables')).toBe(true));
    expect(document.querySelector('[data-plot="divergences"]')?.hasAttribute('data-lit')).toBe(
      true,
    );
  });
});

it('pairs show the variables of the address', async () => {
  open('?tab=pairs&pairs=%5B%22tau%22%2C%22mu%22%5D');
  await waitFor(() => expect(drawn.has('Pairs of tau, mu')).toBe(true));
});

describe('the summary', () => {
  it('computes intervals the server lacks', async () => {
    open('?tab=summary&interval=hdi95');
    expect(await screen.findByRole('button', { name: 'HDI 95 low' })).toBeTruthy();
    const row = (await screen.findByText('mu')).closest('tr');
    await waitFor(() =>
      expect(row?.querySelector('[data-column="low"]')?.textContent).toMatch(/^\u2212\d/),
    );
  });

  it('defines its columns with their source', async () => {
    const { user } = open('?tab=summary');
    await user.click(await screen.findByRole('button', { name: 'What R-hat is' }));
    const link = await screen.findByRole('link', { name: /Vehtari/ });
    expect(link.getAttribute('href')).toBe('https://doi.org/10.1214/20-BA1221');
  });

  it('shows the selected columns', async () => {
    open('?tab=summary&columns=%5B%22mad%22%2C%22rhat%22%5D');
    expect(await screen.findByRole('columnheader', { name: /MAD/ })).toBeTruthy();
    expect(screen.queryByRole('columnheader', { name: /Mean/ })).toBeNull();
  });
});

describe('how the run was made', () => {
  const profile = (name: string, seconds: number) => ({
    name,
    total_time: 3 * seconds,
    forward_time: 2 * seconds,
    reverse_time: seconds,
    autodiff_calls: 1500,
    no_autodiff_calls: 120,
  });

  it('shows the time of profiles over all chains, the longest first', async () => {
    open('?tab=run', { profiles: [profile('prior', 0.001), profile('likelihood', 2)] });
    const section = await screen.findByRole('region', { name: 'Profiles' });
    const rows = within(section).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^likelihood24(\.0)? s16(\.0)? s8(\.0)? s6.?000480$/),
      expect.stringMatching(/^prior12 ms8 ms4 ms6.?000480$/),
    ]);
  });

  it('has no profiles where the program has none', async () => {
    open('?tab=run');
    await screen.findByRole('region', { name: 'Chains as run' });
    expect(screen.queryByRole('region', { name: 'Profiles' })).toBeNull();
  });
});

describe('the log', () => {
  const log = Array.from({ length: 300 }, (_, i) =>
    i === 200 ? 'Warning: step size is small' : `line ${i + 1}`,
  ).join('\n');

  it('hides lines below a level and shows how many are hidden', async () => {
    const { user } = open('?tab=logs', {}, { log: `${log}\n`, documented: true });
    await screen.findByRole('log');
    await user.click(screen.getByRole('combobox', { name: 'Which lines' }));
    await user.click(await screen.findByRole('option', { name: 'Warnings and errors' }));
    expect(await screen.findByText('299 lines hidden')).toBeTruthy();
    const box = screen.getByRole('log');
    await waitFor(() => expect(box.textContent).toBe('warningWarning: step size is small'));
  });

  it('counts the matches of a search', async () => {
    const { user } = open('?tab=logs', {}, { log: `${log}\n`, documented: true });
    await screen.findByRole('log');
    await user.type(screen.getByRole('textbox', { name: 'Search the log' }), 'line 29');
    // 29 and 290 to 299.
    expect(await screen.findByText('1 of 11')).toBeTruthy();
    await user.keyboard('{Enter}');
    expect(await screen.findByText('2 of 11')).toBeTruthy();
    await user.keyboard('{Shift>}{Enter}{Enter}{/Shift}');
    expect(await screen.findByText('11 of 11')).toBeTruthy();
  });
});

it('run info shows the settings and the chains as run', async () => {
  open('?tab=run');
  const settings = await screen.findByRole('region', { name: 'Settings as run' });
  expect(settings.textContent).toContain('num_warmup40');
  const chains = screen.getByRole('region', { name: 'Chains as run' });
  await waitFor(() => expect(within(chains).getAllByRole('row')).toHaveLength(5));
});

it.each([
  // four variables, `lp__` and the sampler's six columns
  { leftOut: [], values: /; 4\s400 values\.$/ },
  // and the column that marks the draws of this chain
  { leftOut: ['chain#4'], values: /; 4\s800 values\.$/ },
])('files state how many values they contain, without chains $leftOut', async (given) => {
  const run = new FakeRun({ numWarmup: 40, numSamples: 100 });
  run.advance(140);
  run.stop();
  run.leftOut = given.leftOut;
  open('?tab=files', {}, { runs: [run] });
  const row = await screen.findByRole('article', { name: 'Draws as CSV' });
  await waitFor(() => expect(row.querySelector('p')?.textContent).toMatch(given.values));
});

it('files of a run whose model was deleted lack the program, and say why', async () => {
  const run = new FakeRun({ status: 'FIN' });
  openAs(run, { model_id: '' }, '?tab=files');
  const row = await screen.findByRole('article', { name: 'The program' });
  expect(row.textContent).toContain('The model was deleted, so its files cannot be read.');
  expect(within(row).getByRole('button')).toHaveProperty('disabled', true);
});

describe('a run that cannot be repeated', () => {
  it.each([
    { what: { model_name: '', model_id: '', workflow_id: '' }, text: /^Imported draws cannot/ },
    { what: { model_id: '', workflow_id: '' }, text: /^Its model was deleted/ },
  ])('says why: $text', async ({ what, text }) => {
    openAs(new FakeRun({ status: 'FIN' }), what);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Run again' })).toHaveProperty('disabled', true);
  });

  it('because it was shared, offers nothing that only its owner may do', async () => {
    const run = new FakeRun({ status: 'FIN' });
    run.leftOut = ['chain#4'];
    const { server } = openAs(run, {
      model_id: '',
      workflow_id: '',
      owner: undefined,
    });
    await screen.findByText(/Chain 4 is left out/);
    await settle(server.log);
    for (const name of ['Run again', 'Share', 'More actions', 'Include it again', 'Choose chains'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByText(/cannot be rerun/)).toBeNull();
    for (const name of ['Logs', 'Share']) expect(screen.queryByRole('tab', { name })).toBeNull();
  });
});

it('files report when one is ready, and when it could not be made', async () => {
  const { user, server } = open('?tab=files');
  const button = await screen.findByRole('button', { name: 'Download: Draws for ArviZ' });
  server.trouble = 'broken';
  server.troubleIn = 'sampledata';
  await user.click(button);
  const row = screen.getByRole('article', { name: 'Draws for ArviZ' });
  expect(await within(row).findByText(/The file could not be made/)).toBeTruthy();
  server.trouble = null;
  await user.click(button);
  expect(await within(row).findByText('Downloaded.')).toBeTruthy();
  expect(server.asked('fmt=arviz').length).toBeGreaterThan(1);
});

it('shares are listed in their tab, with a button to create one', async () => {
  const { user } = open('?tab=share');
  expect(await screen.findByText('Nobody else sees this')).toBeTruthy();
  const panel = screen.getByRole('tabpanel');
  await user.click(within(panel).getByRole('button', { name: 'Share' }));
  expect(await screen.findByText('They will not see')).toBeTruthy();
});
