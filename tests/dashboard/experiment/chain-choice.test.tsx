// Runs in a window.
/** Chains of different lengths on the page: what is used, leaving short ones out, and undoing that. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { offerOf } from '../../../src/dashboard/features/experiment/page/chain-choice.tsx';
import { limitDraws } from '../../../src/dashboard/features/experiment/run/chain-choice.ts';
import { availableDraws } from '../../../src/dashboard/features/experiment/run/run-facts.ts';
import { usageCaption } from '../../../src/dashboard/features/status/used-chains.ts';
import { chainUsage } from '../../../src/posterior/chain-usage.ts';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { drawn } from '../../support/fake-plotly.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';
import { quickenPolls } from '../../support/quick-polls.ts';
import { renderApp } from '../../support/render-app.tsx';

quickenPolls();

// Loaded once, so that the first test need not wait for what pages load on opening.
beforeAll(async () => {
  await Promise.all([
    import('../../../src/dashboard/features/experiment/plots/traces-tab.tsx'),
    import('../../../src/dashboard/features/experiment/page/experiment-page.tsx'),
    import('../../../src/dashboard/plots/figure-request.ts'),
    import('../../../src/dashboard/ui/notifications.tsx'),
  ]);
}, 60_000);
beforeEach(() => drawn.clear());

/** Stopped with 120, 120, 8 and 120 draws. */
function stoppedRun(): FakeRun {
  const run = new FakeRun({ status: 'RUN' });
  for (const chain of [1, 2, 4]) run.advance(160, chain);
  run.advance(48, 3);
  run.stop();
  return run;
}

function open(run = stoppedRun()) {
  const server = new FakeRunServer({ runs: [run] });
  const page = renderApp(server, `/experiments/${run.id}`);
  installBrowserParts();
  return { run, server, ...page };
}

const traced = () =>
  (drawn.get('Trace of mu, one line per chain') ?? [])
    .filter(({ name }) => /^Chain \d+$/.test(name))
    .map(({ name, x }) => [name, x.length]);
const sent = (server: FakeRunServer) =>
  server.objects
    .callsOf('updateObject')
    .map(({ body }) => (body as { payload: { meta: unknown } }).payload.meta);

describe('a run that was stopped with a short chain', () => {
  it('shows which draws are used, leaves the chain out, and includes it again on Undo', {
    timeout: 60_000,
  }, async () => {
    const { server, user } = open();
    const verdict = () => screen.getByRole('region', { name: 'Verdict' }).textContent;
    await screen.findByRole('region', { name: 'Verdict' });
    await waitFor(() => expect(verdict()).toContain('8 draws per chain are too few'));
    expect(verdict()).toContain(
      'R-hat, ESS and summary use only the first 8 draws of each chain, 32 of 368: chain 3 is the shortest.',
    );
    await screen.findByText('First 8 draws of each chain. Traces show every draw.');
    await waitFor(() =>
      expect(traced()).toEqual([
        ['Chain 1', 120],
        ['Chain 2', 120],
        ['Chain 3', 8],
        ['Chain 4', 120],
      ]),
    );
    const offer = await screen.findByRole('region', { name: 'Chains in summary and plots' });
    expect(offer.textContent).toContain(
      'Without chain 3, summary and plots use 360 of 368 draws instead of 32.',
    );
    await user.click(within(offer).getByRole('button', { name: 'Leave out chain 3' }));
    await screen.findByText('Without chain 3.');
    expect(sent(server)).toEqual([{ chains_left_out: ['chain#3'] }]);
    await waitFor(() => expect(verdict()).toContain('(without chain 3)'));
    expect(verdict()).toContain('Chain 3 is left out (8 draws).');
    const strip = screen.getByRole('list', { name: 'Chains' });
    expect(within(strip).getAllByRole('listitem')[2].textContent).toContain('left out');
    await waitFor(() =>
      expect(traced().map(([name]) => name)).toEqual(['Chain 1', 'Chain 2', 'Chain 4']),
    );

    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('First 8 draws of each chain. Traces show every draw.');
    expect(sent(server).at(-1)).toEqual({ chains_left_out: [] });
    await waitFor(() => expect(traced()).toHaveLength(4));
  });

  it('can include the chain again, and any selection of chains', { timeout: 60_000 }, async () => {
    const run = stoppedRun();
    run.leftOut = ['chain#3'];
    const { server, user } = open(run);
    await user.click(await screen.findByRole('button', { name: 'Choose chains' }));
    const dialog = await screen.findByRole('dialog', { name: 'Chains in summary and plots' });
    const box = (name: string) => within(dialog).getByRole<HTMLInputElement>('checkbox', { name });
    expect(box('Chain 3').checked).toBe(false);
    expect(dialog.textContent).toContain('use 360 of 368 draws: 3 chains of 120.');
    await user.click(box('Chain 4'));
    expect(dialog.textContent).toContain('use 240 of 368 draws: 2 chains of 120.');
    for (const name of ['Chain 1', 'Chain 2']) await user.click(box(name));
    const save = within(dialog).getByRole<HTMLButtonElement>('button', {
      name: 'Use these chains',
    });
    expect(save.disabled).toBe(true);
    for (const name of ['Chain 1', 'Chain 2']) await user.click(box(name));
    await user.click(save);
    await screen.findByText('Without chains 3 and 4.');
    expect(sent(server)).toEqual([{ chains_left_out: ['chain#3', 'chain#4'] }]);
    await user.click(await screen.findByRole('button', { name: 'Include them again' }));
    await waitFor(() => expect(sent(server).at(-1)).toEqual({ chains_left_out: [] }));
    await screen.findByText('First 8 draws of each chain. Traces show every draw.');
  });
});

it('a run whose chains agree and have the same length gets no offer', async () => {
  const run = new FakeRun({ status: 'FIN', numSamples: 400 });
  open(run);
  await screen.findByText(/All checks passed|Needs a look|checks? failed/);
  expect(screen.queryByRole('region', { name: 'Chains in summary and plots' })).toBeNull();
});

it('a chain that disagrees can be restarted while the others sample, unlike one that is only behind', {
  timeout: 60_000,
}, async () => {
  const run = new FakeRun({ status: 'RUN' });
  for (const chain of [1, 2, 4]) run.advance(160, chain);
  run.advance(148, 3);
  const summary = run.summary();
  const apart = summary.chains.map((chain, index) => ({ ...chain, is_apart: index === 1 }));
  run.summary = () => ({ ...summary, chains: apart });
  const { server, user } = open(run);
  const offer = await screen.findByRole('region', { name: 'Chains in summary and plots' });
  expect(offer.textContent).toContain('Chain 2 disagrees with the others');
  expect(within(offer).getAllByRole('button', { name: /chain/i })).toHaveLength(1);
  await user.click(within(offer).getByRole('button', { name: 'Retry chain 2' }));
  await waitFor(() => expect(sent(server)).toEqual([{ retry_chains: ['chain#2'] }]));
});

it('a chain that was left out while the others sample shows its draws so far, not its target', {
  timeout: 60_000,
}, async () => {
  const run = new FakeRun({ status: 'RUN' });
  for (const chain of [1, 2, 4]) run.advance(160, chain);
  run.advance(148, 3);
  run.leftOut = ['chain#3'];
  open(run);
  const strip = await screen.findByRole('list', { name: 'Chains' });
  const texts = () =>
    within(strip)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(texts()[2]).toContain('left out'));
  expect(texts()[1]).toMatch(/120 of \d+/);
  expect(texts()[2]).toMatch(/left out108/);
  expect(texts()[2]).not.toContain(' of ');
});

it('nothing is offered while chains that agree sample', { timeout: 60_000 }, async () => {
  const run = new FakeRun({ status: 'RUN' });
  for (const chain of [1, 2, 4]) run.advance(160, chain);
  run.advance(48, 3);
  open(run);
  await waitFor(() => expect(traced()).toHaveLength(4));
  expect(screen.queryByRole('region', { name: 'Chains in summary and plots' })).toBeNull();
});

describe('the offer', () => {
  const lengths = (...draws: number[]) =>
    draws.map((count, index) => ({ name: `chain#${index + 1}`, draws: count }));
  const summaryWith = (apart: readonly number[]) => {
    const summary = new FakeRun({ status: 'FIN' }).summary();
    const chains = summary.chains.map((chain, index) =>
      apart.includes(index + 1) ? { ...chain, is_apart: true } : chain,
    );
    return { ...summary, chains };
  };

  it('names the one chain that keeps the others from agreeing, and warns', () => {
    const usage = chainUsage(lengths(120, 120, 120, 120));
    expect(offerOf(usage, summaryWith([2]))).toMatchObject({
      label: 'Leave out chain 2',
      names: ['chain#2'],
      text: expect.stringContaining('stuck, or in another mode'),
      stray: 'chain#2',
    });
    expect(offerOf(usage, summaryWith([2, 3]))).toBeNull();
    expect(offerOf(usage, summaryWith([]))).toBeNull();
  });

  it('leaves the choice to the user when the lengths differ only a little', () => {
    expect(offerOf(chainUsage(lengths(120, 110)), null)).toMatchObject({ names: null });
  });

  it('is to leave out a chain that has no draws', () => {
    expect(offerOf(chainUsage(lengths(120, 120, 0)), null)).toMatchObject({
      names: ['chain#3'],
      text: 'Chain 3 has no draws. The others can be judged without it.',
    });
  });
});

describe('the draws of a plot', () => {
  const view = { read: () => Float64Array.of(1, 2, 3) };

  it('exclude chains that are left out, and are as many as in the summary', () => {
    const limited = limitDraws(view, { leftOut: ['chain#2'], common: 2 });
    expect([...limited.read('mu', 'chain#1', 'sampling')]).toEqual([1, 2]);
    expect([...limited.read('mu', 'chain#1', 'warmup')]).toEqual([1, 2, 3]);
    expect([...limited.read('mu', 'chain#2', 'sampling')]).toEqual([]);
    expect(limitDraws(view, { leftOut: [], common: null })).toBe(view);
  });

  it('have a caption where not all are used', () => {
    const lengths = [
      { name: 'chain#1', draws: 100_000 },
      { name: 'chain#2', draws: 1608 },
      { name: 'chain#3', draws: 0 },
    ];
    expect(usageCaption(chainUsage(lengths))).toBe('First 1\u202f608 draws of each chain');
    expect(usageCaption(chainUsage(lengths, ['chain#3']))).toBe(
      'First 1\u202f608 draws of each chain, without chain 3',
    );
    expect(usageCaption(chainUsage(lengths.slice(0, 1)))).toBeNull();
    expect(usageCaption(null)).toBeNull();
  });
});

it('the draws of a run that ended are counted per chain, not as in the shortest chain', () => {
  const { sampling } = availableDraws(stoppedRun().experiment(), false);
  expect(Object.fromEntries(sampling.byChain)).toEqual({
    'chain#1': 120,
    'chain#2': 120,
    'chain#3': 8,
    'chain#4': 120,
  });
});
