// Runs in a window.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { createFakeExperiment, createFakeModel } from '../../support/fake-objects.ts';
import { drawn } from '../../support/fake-plotly.ts';
import { FakeRun, type FakeRunOptions } from '../../support/fake-run.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

// What the page loads on demand, loaded here so that no test waits for it.
beforeAll(async () => {
  await import('../../../src/dashboard/features/compare/comparison.tsx');
  await import('../../../src/dashboard/features/compare/add-experiment.tsx');
  await import('../../../src/dashboard/features/experiments-list/selection-actions.tsx');
  await import('../../../src/dashboard/plots/figure-request.ts');
}, 60_000);

beforeEach(() => drawn.clear());

const a: FakeRunOptions = { id: 'X0000001', name: 'Centred', status: 'FIN', numSamples: 300 };
const b: FakeRunOptions = { id: 'X0000002', name: 'Non-centred', status: 'FIN', numSamples: 260 };

function open(search: string, runs: FakeRunOptions[] = [a, b], options: FakeRunServerOptions = {}) {
  const server = new FakeRunServer({ runs: runs.map((run) => new FakeRun(run)), ...options });
  const page = renderApp(server, `/experiments/compare${search}`);
  installBrowserParts();
  return { server, ...page };
}

const both = '?ids=X0000001,X0000002';
const finding = () => screen.findByRole('region', { name: 'Finding' });

describe('two experiments', () => {
  it('are shown side by side: intervals, densities, numbers, checks', async () => {
    const { server } = open(both);
    expect(await screen.findByRole('heading', { name: 'Compare 2 experiments' })).toBeTruthy();
    const table = await screen.findByRole('region', { name: 'Intervals side by side' });
    // A variable is named once; each run has its interval and its numbers in one line.
    const names = within(table).getAllByRole('rowheader');
    expect(names.map(({ textContent }) => textContent)).toEqual([
      'mu',
      'tau',
      'theta[1]',
      'theta[2]',
    ]);
    const rows = within(table).getAllByRole('row').slice(1, 3);
    expect(rows.map((row) => within(row).getAllByRole('cell').length)).toEqual([7, 7]);
    for (const [i, row] of rows.entries()) {
      const [letter, interval, mean, sd, rhat, bulk, tail] = within(row).getAllByRole('cell');
      expect(letter.textContent).toBe('AB'[i]);
      expect(interval.textContent).toMatch(/^\S+ to \S+, median \S+$/);
      expect(interval.querySelector('svg')).not.toBeNull();
      for (const cell of [mean, sd, rhat, bulk, tail]) expect(cell.textContent).toMatch(/\d/);
    }
    const density = 'Density of theta[2] in A and B';
    await waitFor(() => expect(drawn.get(density)?.map(({ name }) => name)).toEqual(['A', 'B']));
    const [first, second] = drawn.get(density) ?? [];
    expect(first.line?.color).not.toBe(second.line?.color);
    expect((await finding()).textContent).toContain(
      'Means agree within Monte Carlo error everywhere',
    );
    const numbers = screen.getByRole('region', { name: 'Differences by variable and experiment' });
    // Means and, once the draws are here, standard deviations.
    await waitFor(() =>
      expect(
        numbers.textContent?.match(/MCSE: (within|slightly beyond Monte Carlo) error/g),
      ).toHaveLength(4),
    );
    const checks = screen.getByRole('region', { name: 'Checks and cost by experiment' });
    expect(checks.textContent).toMatch(/Time per effective draw\d\.\d ms\d\.\d ms/);
    // No draw is requested twice.
    const draws = server.asked('/api/draws/X0000001');
    expect(new Set(draws).size).toBe(draws.length);
  });

  it('say which settings differ, and all on request, which the address keeps', async () => {
    const { user } = open(both);
    await finding();
    const settings = await screen.findByRole('region', { name: 'Settings' });
    expect(await within(settings).findByText('num_samples')).toBeTruthy();
    expect(within(settings).queryByText('seed')).toBeNull();
    await user.click(within(settings).getByRole('button', { name: 'Show all' }));
    expect(await within(settings).findByText('seed')).toBeTruthy();
    expect(window.location.search).toContain('all=true');
  });

  it('get another baseline, and are removed, by keyboard alone', async () => {
    const { user } = open(both);
    const make = await screen.findByRole('button', { name: 'Make B the baseline' });
    make.focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('columnheader', { name: 'Mean against B' })).toBeTruthy();
    expect(window.location.search).toContain('base=X0000002');
    screen.getByRole('button', { name: 'Remove A from the comparison' }).focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/A comparison needs at least two experiments/)).toBeTruthy();
    expect(window.location.search).toContain('ids=X0000002');
  });

  it('show the variables that are picked', async () => {
    open(`${both}&vars=%5B%22theta%22%5D`);
    await waitFor(() => expect(drawn.has('Density of theta[1] in A and B')).toBe(true));
    expect([...drawn.keys()].some((key) => key.includes('of mu'))).toBe(false);
  });
});

describe('the programs of two experiments', () => {
  it.each([
    { why: 'imported', fields: { model_id: '', model_name: '' }, text: /its draws were imported/ },
    { why: 'deleted', fields: { model_id: '' }, text: /The model of B was deleted/ },
    { why: 'shared', fields: { model_id: '', owner: undefined }, text: /B is shared with you/ },
  ])('are not compared if one is not here, and the card says why: $why', async (given) => {
    const other = new FakeRun(b);
    const plain = other.experiment.bind(other);
    other.experiment = (options) => ({ ...plain(options), ...given.fields });
    open(both, [], { runs: [new FakeRun(a), other] });
    const card = await screen.findByRole('region', { name: 'Model code' });
    await waitFor(() => expect(card.textContent).toMatch(given.text));
  });
});

describe('the last choice', () => {
  it('comes back for the same models, in the address, until it is cleared', async () => {
    const first = open(both);
    await finding();
    await first.user.click(screen.getByRole('combobox', { name: 'Variables' }));
    fireEvent.click(await screen.findByRole('option', { name: 'tau' }));
    const settings = screen.getByRole('region', { name: 'Settings' });
    await first.user.click(within(settings).getByRole('button', { name: 'Show all' }));
    first.unmount();
    const second = open('?ids=X0000002,X0000001');
    await waitFor(() => expect(decodeURIComponent(window.location.search)).toContain('"tau"'));
    expect(window.location.search).toContain('all=true');
    expect(await screen.findByRole('button', { name: 'Only differences' })).toBeTruthy();
    await second.user.click(screen.getByRole('combobox', { name: 'Variables' }));
    await second.user.keyboard('{Backspace}');
    await waitFor(() => expect(decodeURIComponent(window.location.search)).not.toContain('"tau"'));
    expect(Object.keys(localStorage).filter((key) => key.startsWith('ergodic.compared.'))).toEqual(
      [],
    );
  });
});

describe('a comparison that is incomplete', () => {
  it('says that nothing is selected yet, and takes an experiment from the picker', async () => {
    const { user } = open('');
    expect(await screen.findByText('Nothing to compare yet')).toBeTruthy();
    await user.click(await screen.findByRole('combobox', { name: 'Add an experiment' }));
    fireEvent.click(await screen.findByRole('option', { name: /Non-centred/ }));
    await waitFor(() => expect(window.location.search).toContain('ids=X0000002'));
    expect(await screen.findByText(/at least two experiments/)).toBeTruthy();
  });

  it('opens with the values in the address, and names ids that are not experiments', async () => {
    open('?ids=X0000001,nonsense,X0000009&vars=7&all=perhaps');
    expect(await screen.findByText(/“nonsense” is not the id of an experiment/)).toBeTruthy();
    expect(await screen.findByText(/No such experiment/)).toBeTruthy();
    expect(await screen.findByText(/Only A can be shown/)).toBeTruthy();
  });

  it('does not judge a run that is still running', async () => {
    const running = new FakeRun({ ...b, status: 'RUN' });
    running.advance(140);
    const server = new FakeRunServer({ runs: [new FakeRun(a), running] });
    renderApp(server, `/experiments/compare${both}`);
    installBrowserParts();
    expect((await finding()).textContent).toContain('Too early to tell: B is still running.');
  });

  it('shows the draws of some chains while others wait for a core', async () => {
    const running = new FakeRun({ ...b, status: 'RUN' });
    for (const chain of [1, 2, 3]) running.advance(140, chain);
    const server = new FakeRunServer({ runs: [new FakeRun(a), running] });
    renderApp(server, `/experiments/compare${both}`);
    installBrowserParts();
    const table = await screen.findByRole('region', { name: 'Intervals side by side' });
    await waitFor(() =>
      expect(
        within(within(table).getAllByRole('row')[2] as HTMLElement).queryByText(/no draws/),
      ).toBeNull(),
    );
    expect(screen.queryByText(/has no draws to show/)).toBeNull();
    await waitFor(() =>
      expect(drawn.get('Density of mu in A and B')?.map(({ name }) => name)).toEqual(['A', 'B']),
    );
  });

  it('names the variables that one experiment lacks', async () => {
    open(both, [a, { ...b, variables: ['mu', 'beta'] }]);
    expect(await screen.findByText(/A has no beta/)).toBeTruthy();
    expect(await screen.findByText(/B has no tau and theta \(2\)/)).toBeTruthy();
    await waitFor(() => expect(drawn.has('Density of mu in A and B')).toBe(true));
    expect(drawn.has('Density of beta in B')).toBe(false);
  });

  it('keeps the others when one summary fails, and tries again', async () => {
    const server = new FakeRunServer({ runs: [new FakeRun(a), new FakeRun(b)] });
    server.trouble = 'broken';
    server.troubleIn = '/api/summary/X0000002';
    const { user, services } = renderApp(server, `/experiments/compare${both}`);
    services.queryClient.setDefaultOptions({ queries: { retry: false } });
    installBrowserParts();
    expect(await screen.findByText(/Its draws could not be read/)).toBeTruthy();
    expect(await screen.findByText('B has no draws to show.')).toBeTruthy();
    server.trouble = null;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(drawn.has('Density of mu in A and B')).toBe(true));
  });
});

describe('programs', () => {
  const model = (short_id: string, content: string) =>
    createFakeModel({
      short_id,
      content: { tree: [{ name: 'main.stan', content, encoding: 'text' }] },
    });
  const experiment = (short_id: string, model_id: string) =>
    createFakeExperiment({ short_id, model_id, n_samples: 0 });

  it('are compared line by line, draws or not', async () => {
    open(both, [], {
      objects: [
        experiment('X0000001', 'M0000001'),
        experiment('X0000002', 'M0000002'),
        model('M0000001', 'data {\n}\nmodel {\n}\n'),
        model('M0000002', 'data {\n}\nparameters {\n}\nmodel {\n}\n'),
      ],
    });
    const code = await screen.findByRole('region', { name: 'Differences in main.stan' });
    const added = [...code.querySelectorAll('tr[data-kind="added"]')];
    expect(added.map((line) => line.textContent)).toEqual(['3+added: parameters {', '4+added: }']);
    expect(added[0].querySelector('[data-role="keyword"]')?.textContent).toBe('parameters');
    expect(screen.getByText(/None of these experiments has draws/)).toBeTruthy();
  });

  it('that are no longer available do not break the page', async () => {
    open(both, [], {
      objects: [experiment('X0000001', 'M0000001'), experiment('X0000002', 'M0000002')],
    });
    expect(await screen.findByText(/A program is no longer available/)).toBeTruthy();
  });

  it('of the same model and version are the same, without a request', async () => {
    const of = (id: string) => ({
      ...experiment(id, 'M0000001'),
      meta: { model_version: 2 },
    });
    const { server } = open(both, [], { objects: [of('X0000001'), of('X0000002')] });
    expect(await screen.findByText('Same program: version 2 of the same model.')).toBeTruthy();
    expect(server.asked('M0000001')).toEqual([]);
  });
});

it('compares by leave-one-out where both have log_lik', async () => {
  const variables = ['mu', ...Array.from({ length: 6 }, (_, i) => `log_lik[${i + 1}]`)];
  open(both, [
    { ...a, variables },
    { ...b, variables, numSamples: 300, shifts: { 1: -3, 2: -3, 3: -3, 4: -3 } },
  ]);
  expect(await screen.findByText(/^A predicts best: elpd 1\d\.\d higher than B/)).toBeTruthy();
  await waitFor(() =>
    expect(drawn.has('Difference in elpd from the best experiment, with one standard error')).toBe(
      true,
    ),
  );
});

it('works on a documented server, with the files of draws', async () => {
  const { server } = open(both, [a, b], { documented: true });
  await waitFor(() => expect(drawn.has('Density of mu in A and B')).toBe(true));
  expect((await finding()).textContent).toContain('Means agree');
  expect(await screen.findByText(/does not report the settings of A and B/)).toBeTruthy();
  expect(server.asked('/draws/X0000001')).toHaveLength(1);
  expect(server.missed.filter((line) => !/\/(sys|base)\//.test(line))).toEqual([]);
});

describe('the selection of the list', () => {
  const list = () => {
    const server = new FakeRunServer({ runs: [new FakeRun(a), new FakeRun(b)] });
    return renderApp(server, '/experiments');
  };

  it('leads to the comparison of two', async () => {
    const { user } = list();
    await user.click(await screen.findByLabelText('Select Centred'));
    expect(await screen.findByText('Tick one more to compare')).toBeTruthy();
    await user.click(screen.getByLabelText('Select Non-centred'));
    await user.click(await screen.findByRole('link', { name: 'Compare' }));
    expect(await screen.findByRole('heading', { name: 'Compare 2 experiments' })).toBeTruthy();
    expect(decodeURIComponent(window.location.search)).toContain('ids=X0000001,X0000002');
  });

  it('opens the share dialog for one', async () => {
    const { user } = list();
    await user.click(await screen.findByLabelText('Select Centred'));
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('dialog', { name: 'Share this experiment' })).toBeTruthy();
  });
});
