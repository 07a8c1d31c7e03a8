// Runs in a window.
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../src/client/api-error.ts';
import type { Summary } from '../../../src/contract/draws.ts';
import type { Experiment } from '../../../src/contract/experiment.ts';
import { VerdictLine } from '../../../src/dashboard/features/experiment/page/verdict-line.tsx';
import { judge } from '../../../src/posterior/verdict.ts';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { createFakeVerdict } from '../../support/fake-verdict.ts';
import { createRow } from '../../support/summary-rows.ts';

// Links and what is fetched belong to the whole page.
vi.mock('../../../src/dashboard/ui/help-link.tsx', () => ({ HelpLink: () => null }));
vi.mock('../../../src/dashboard/features/experiment/page/remedies.tsx', () => ({
  Remedies: () => null,
}));

afterEach(cleanup);

const good = new FakeRun({ status: 'FIN', numSamples: 1000 }).summary();
function show({
  experiment = createFakeExperiment(),
  summary = good,
  error = null,
  onRunAgain,
}: {
  experiment?: Experiment;
  summary?: Summary | null;
  error?: unknown;
  onRunAgain?: (change: Record<string, unknown>) => void;
} = {}) {
  const onOpen = vi.fn();
  const line = { experiment, summary, summaryError: error, onOpen, onRunAgain };
  render(
    <MantineProvider>
      <VerdictLine {...line} />
    </MantineProvider>,
  );
  const region = screen.getByRole('region', { name: 'Verdict' });
  return { onOpen, region, text: region.textContent ?? '' };
}
const judged = (verdict: Partial<Summary['verdict']>): Summary => ({
  ...good,
  verdict: { ...good.verdict, ...verdict },
});
const noDraws: Partial<Summary['verdict']> = {
  ...createFakeVerdict({ state: 'unknown' }, { numDraws: 0 }),
  headline: 'No verdict: the run has no draws',
  draws: 0,
  checks: [{ name: 'draws', status: 'unknown', message: 'the run has no draws', value: 0 }],
};
const spoiled = judged(createFakeVerdict({ state: 'warn', divergences: 4 }));

describe('the verdict line', () => {
  it('is green only when every check passed with its evidence', () => {
    const { region, text } = show();
    expect(region.dataset.tone).toBe('good');
    expect(text).toContain('Looks converged. All checks passed on 4 × 1\u202f000 draws.');
    expect(text).toMatch(/R-hat up to 1\.00\d/);
  });

  it('is not green without evidence, and says what is not recorded', () => {
    const run = new FakeRun({ status: 'FIN', numSamples: 1000, withoutSampler: true });
    const { region, text } = show({ summary: run.summary() });
    expect(region.dataset.tone).toBe('unknown');
    expect(text).toContain(
      'No verdict: divergences, tree depths and energies are not recorded. The other checks passed on 4 × 1\u202f000 draws.',
    );
  });

  it('shows the verdict of the experiment, whatever the loaded draws suggest', () => {
    const verdict = createFakeVerdict({ state: 'bad', divergences: 33, rhat_max: 1.0104 });
    const experiment = createFakeExperiment({ meta: { verdict } });
    const { region, text } = show({ experiment });
    expect(region.dataset.tone).toBe('bad');
    expect(text).toContain('33 divergences; 2 checks failed, on 4 × 1\u202f000 draws.');
    cleanup();
    expect(show({ experiment, summary: null }).text).toBe(text);
  });

  it('names the chains that were judged where one has no draws, and what is left out', () => {
    const verdict: Summary['verdict'] = {
      ...good.verdict,
      state: 'unknown',
      headline: 'No verdict: chain 4 has no draws',
      checks: [
        { name: 'rhat', status: 'passed' },
        { name: 'chains', status: 'unknown', chain: 'chain#4', message: 'chain 4 has no draws' },
      ],
      chains: ['chain#1', 'chain#2', 'chain#3'],
      draws: 1608,
      draws_left_out: 196_784,
    };
    expect(show({ summary: judged(verdict) }).text).toContain(
      'No verdict: chain 4 has no draws. The other checks passed on 3 × 1\u202f608 draws (chains 1, 2 and 3). 196\u202f784 draws of longer chains are left out.',
    );
  });

  it('judges nothing before the end of the run, even in a snapshot', () => {
    const experiment = createFakeExperiment({ status: 'RUN' });
    const { region, text } = show({ experiment });
    expect(region.dataset.tone).toBe('unknown');
    expect(text).toBe('Too early to tell. 4\u202f000 draws so far.');
  });

  it('says why a run failed before its last chain has stopped', () => {
    const error = { code: 'PROGRAM_INVALID', message: '`J` is missing from the data' };
    const experiment = createFakeExperiment({ status: 'RUN', meta: { error } });
    const { region, text } = show({ experiment, summary: null });
    expect(region.dataset.tone).toBe('bad');
    expect(text).toBe('J is missing from the data Its chains are being stopped.');
  });

  it('distinguishes too few draws from bad ones', () => {
    const summary = new FakeRun({ status: 'FIN', numSamples: 99 }).summary();
    expect(show({ summary }).text).toContain('No verdict: 99 draws per chain are too few.');
  });

  it.each([
    [{ status: 'NEW' }, null, null, 'Waiting to start.'],
    [
      { status: 'NEW', meta: { queue_place: 2 } },
      null,
      null,
      'Waiting to start: 2nd in the queue.',
    ],
    [{ status: 'RUN', n_samples: 0 }, null, null, 'Too early to tell. No draws yet.'],
    [{ status: 'RUN' }, null, null, 'Too early to tell. 4\u202f000 draws so far.'],
    [{ status: 'FIN', n_samples: 0 }, null, null, 'No verdict: the run has no draws.'],
    [
      { status: 'FIN', n_samples: 0 },
      judged(noDraws),
      null,
      /No verdict: the run has no draws\.\s*$/,
    ],
    [{ status: 'FIN' }, null, null, 'Reading the draws.'],
    [
      { status: 'FIN' },
      null,
      new ApiError('network', 'The server cannot be reached.'),
      'The verdict could not be loaded. The server cannot be reached. The draws are not affected.',
    ],
    [
      { status: 'ERR', n_samples: 0 },
      null,
      null,
      'The server gave no reason. See the log. No draws were made.',
    ],
    [
      {
        status: 'ERR',
        n_samples: 20,
        meta: { error: { code: 'x', message: 'Out of memory\nat line 3' } },
      },
      null,
      null,
      'Out of memory The 20 draws per chain were saved.at line 3',
    ],
  ] as const)('shows for %j what there is to judge', (change, summary, error, text) => {
    const shown = show({ experiment: createFakeExperiment(change), summary, error }).text;
    if (typeof text === 'string') expect(shown).toContain(text);
    else expect(shown).toMatch(text);
  });

  it('announces its sentence only, not the numbers that change with every draw', () => {
    const { region } = show({ experiment: createFakeExperiment({ status: 'RUN' }) });
    const live = region.querySelectorAll('[role="status"], [role="alert"], [aria-live]');
    expect([...live].map((part) => part.textContent)).toEqual(['Too early to tell.']);
  });

  it('links each problem to the plot or table that shows it', () => {
    const verdict = judge({
      rows: [createRow({ variable: 'tau', rhat: 1.2, ess_bulk: 20 })],
      isHamiltonian: false,
      chains: ['chain#1', 'chain#2', 'chain#3', 'chain#4'].map((name) => ({
        name,
        numDraws: 1000,
        divergences: null,
        treedepthHits: null,
        ebfmi: null,
      })),
    });
    const { checks, headline, state } = verdict;
    const { onOpen, region, text } = show({
      summary: judged({ state, headline, checks: [...checks] }),
    });
    expect(region.dataset.tone).toBe('bad');
    expect(text).toContain('R-hat 1.200, above 1.01; 2 checks failed');
    fireEvent.click(screen.getByText('R-hat of tau is 1.200, above 1.01'));
    expect(onOpen).toHaveBeenLastCalledWith({ tab: 'traces', variable: 'tau' });
    fireEvent.click(screen.getByText('Bulk ESS of tau is 20, below 400'));
    expect(onOpen).toHaveBeenLastCalledWith({ tab: 'summary', variable: 'tau' });
  });

  it.each([
    [undefined, 0.95],
    [0.95, 0.99],
    [0.99, 0.999],
  ])('offers the next adapt_delta after %s for divergences: %s', (used, next) => {
    const onRunAgain = vi.fn();
    const experiment = createFakeExperiment({ meta: { settings: { adapt_delta: used } } });
    show({ experiment, summary: spoiled, onRunAgain });
    fireEvent.click(screen.getByRole('button', { name: `Run again with adapt_delta ${next}` }));
    expect(onRunAgain).toHaveBeenCalledWith({ adapt_delta: next });
  });

  it('offers nothing where nothing can be run, or nothing is left to try', () => {
    show({ summary: spoiled });
    expect(screen.queryByText(/Run again/)).toBeNull();
    const experiment = createFakeExperiment({ meta: { settings: { adapt_delta: 0.999 } } });
    cleanup();
    show({ experiment, summary: spoiled, onRunAgain: vi.fn() });
    expect(screen.queryByText(/Run again/)).toBeNull();
  });
});
