// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../src/client/api-error.ts';
import type { Summary } from '../../../src/contract/draws.ts';
import type { Experiment } from '../../../src/contract/experiment.ts';
import {
  VerdictLine,
  verdictOf,
} from '../../../src/dashboard/features/experiment/page/verdict-line.tsx';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { createRow } from '../../support/summary-rows.ts';

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
  return { onOpen, region, words: region.textContent ?? '' };
}
const spoiled = (change: Partial<Summary['verdict']>): Summary => ({
  ...good,
  verdict: { ...good.verdict, ...change },
});

describe('the verdict line', () => {
  it('is green only when every check passed with its evidence', () => {
    const { region, words } = show();
    expect(region.dataset.tone).toBe('good');
    expect(words).toContain('Looks converged. All checks passed on 4 × 1\u202f000 draws.');
    expect(words).toMatch(/R-hat up to 1\.00\d/);
  });

  it('is not green without evidence, and says what is not recorded', () => {
    const silent = spoiled({ divergences: null, treedepth_hits: null, state: 'unknown' });
    const chains = good.chains.map((chain) => ({ ...chain, ebfmi: null }));
    const { region, words } = show({ summary: { ...silent, chains } });
    expect(region.dataset.tone).toBe('unknown');
    expect(words).toContain('Not enough evidence: divergences are not recorded');
    expect(words).toContain('Not recorded: divergences, tree depth, E-BFMI');
  });

  it('needs no sampler evidence where the server judged well without any: another kind of sampler', () => {
    const silent = spoiled({ divergences: null, treedepth_hits: null, state: 'good' });
    const chains = good.chains.map((chain) => ({ ...chain, ebfmi: null }));
    const { region, words } = show({ summary: { ...silent, chains } });
    expect(region.dataset.tone).toBe('good');
    expect(words).not.toContain('Not recorded');
  });

  it('judges nothing before the run is over, in a snapshot either', () => {
    const experiment = createFakeExperiment({ status: 'RUN' });
    const { region, words } = show({ experiment });
    expect(region.dataset.tone).toBe('unknown');
    expect(words).toBe('Too early to tell. 4\u202f000 draws in.');
  });

  it('tells too few draws from bad ones', () => {
    expect(show({ summary: { ...good, n_samples: 99 } }).words).toContain('Too few draws to tell.');
  });

  it.each([
    [{ status: 'NEW' }, null, null, 'Waiting to start.'],
    [
      { status: 'NEW', meta: { queue_place: 2 } },
      null,
      null,
      'Waiting to start, place 2 in the queue.',
    ],
    [{ status: 'RUN' }, null, null, 'Too early to tell. No draws yet.'],
    [{ status: 'FIN', n_samples: 0 }, null, null, 'Nothing to judge. This run has no draws.'],
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
      'The server did not say why. The log may. No draws were made.',
    ],
    [
      {
        status: 'ERR',
        n_samples: 20,
        meta: { error: { code: 'x', message: 'Out of memory\nat line 3' } },
      },
      null,
      null,
      'Out of memory The 20 draws a chain that were made are kept.at line 3',
    ],
  ] as const)('of %j says %4$s', (change, summary, error, words) => {
    expect(show({ experiment: createFakeExperiment(change), summary, error }).words).toContain(
      words,
    );
  });

  it('announces its sentence only, not the numbers that change with every draw', () => {
    const { region } = show({ experiment: createFakeExperiment({ status: 'RUN' }) });
    const live = region.querySelectorAll('[role="status"], [role="alert"], [aria-live]');
    expect([...live].map((part) => part.textContent)).toEqual(['Too early to tell.']);
  });

  it('leads each problem to what shows it', () => {
    const rows = [createRow({ variable: 'tau', rhat: 1.2, ess_bulk: 20 })];
    const { onOpen, region, words } = show({ summary: { ...good, variables: rows } });
    expect(region.dataset.tone).toBe('bad');
    expect(words).toContain('2 checks failed, worst first.');
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
    show({ experiment, summary: spoiled({ divergences: 4 }), onRunAgain });
    fireEvent.click(screen.getByRole('button', { name: `Run again with adapt_delta ${next}` }));
    expect(onRunAgain).toHaveBeenCalledWith({ adapt_delta: next });
  });

  it('offers nothing where nothing can be run, or nothing is left to try', () => {
    show({ summary: spoiled({ divergences: 4 }) });
    expect(screen.queryByText(/Run again/)).toBeNull();
    const experiment = createFakeExperiment({ meta: { settings: { adapt_delta: 0.999 } } });
    cleanup();
    show({ experiment, summary: spoiled({ divergences: 4 }), onRunAgain: vi.fn() });
    expect(screen.queryByText(/Run again/)).toBeNull();
  });

  it('agrees with the verdict of the server', () => {
    for (const options of [{}, { shifts: { 1: 2 } }, { divergent: [[1, 1]] as const }]) {
      const summary = new FakeRun({ status: 'FIN', numSamples: 400, ...options }).summary();
      expect(verdictOf(summary).state).toBe(summary.verdict.state);
    }
  });
});
