// Runs in a window.
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { runVerdict } from '../../../src/dashboard/features/status/run-verdict.ts';
import { StatusBadge, statusOf } from '../../../src/dashboard/features/status/status-badge.tsx';
import { percentDone } from '../../../src/dashboard/features/status/verdict-mark.tsx';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { createFakeVerdict } from '../../support/fake-verdict.ts';

afterEach(cleanup);

describe('the status of a run', () => {
  it.each([
    ['NEW', {}, 'New', 'new'],
    ['NEW', { queue_place: 1 }, 'Queued, 1st', 'new'],
    ['NEW', { queue_place: 12 }, 'Queued, 12th', 'new'],
    ['NEW', { queue_place: 23 }, 'Queued, 23rd', 'new'],
    ['RUN', {}, 'Running', 'running'],
    ['RUN', { action: 'paused' }, 'Paused', 'paused'],
    ['RUN', { action: 'stopping' }, 'Stopping', 'stopped'],
    ['RUN', { action: 'written by a client' }, 'Running', 'running'],
    ['RUN', { run_info: { status: 'SAMPLE_FIN' } }, 'Finishing', 'running'],
    ['RUN', { run_info: 'text' }, 'Running', 'running'],
    ['SAMPLE_FIN', {}, 'Finishing', 'running'],
    ['FIN', {}, 'Finished', 'finished'],
    ['FIN', { action: 'stopped' }, 'Stopped', 'stopped'],
    ['ERR', {}, 'Error', 'error'],
    ['RUN', { error: { code: 'PROGRAM_INVALID', message: '`J` is missing' } }, 'Error', 'error'],
    ['RUN', { action: 'stopping', error: { code: 'C', message: 'm' } }, 'Error', 'error'],
    ['ARCHIVED', {}, 'ARCHIVED', 'plain'],
    ['', {}, 'Unknown', 'plain'],
  ])('%s with %j is "%s"', (status, meta, label, tone) => {
    expect(statusOf({ status, meta })).toEqual({ label, tone });
  });

  it('reads the same without meta', () => {
    expect(statusOf({ status: 'RUN', meta: null }).label).toBe('Running');
  });

  it('is a label next to its icon, and shows when it is out of date or frozen', () => {
    const experiment = { status: 'RUN', meta: null };
    const at = new Date('2026-11-21T07:41:20').getTime();
    const { container } = render(
      <>
        <StatusBadge experiment={experiment} />
        <StatusBadge experiment={experiment} staleSince={at} />
        <StatusBadge experiment={experiment} whenShared />
      </>,
    );
    const [now, stale, shared] = [...container.children].map((badge) => badge.textContent);
    expect(now).toBe('Running');
    expect(stale).toMatch(/^Running at 0?7:41:20/);
    expect(shared).toBe('Running when shared');
    for (const icon of container.querySelectorAll('svg')) {
      expect(icon.getAttribute('aria-hidden')).toBe('true');
    }
  });
});

describe('the verdict in lists', () => {
  it.each([
    [{ state: 'good' }, 'Looks converged', 'good'],
    [{ state: 'unknown', divergences: 9 }, 'No verdict', 'unknown'],
    [{ state: 'warn', divergences: 4 }, '4 divergences', 'warn'],
    [{ state: 'warn', rhat_max: 1.0104 }, 'R-hat 1.0104, above 1.01', 'warn'],
    [{ state: 'bad', ess_bulk_min: 112, ess_tail_min: 900 }, 'Bulk ESS 112, below 400', 'bad'],
    [{ state: 'warn', ebfmi_min: 0.21 }, 'E-BFMI 0.21, below 0.3', 'warn'],
    [{ state: 'bad', rhat_max: 1.2, divergences: 2 }, '2 divergences; 2 checks failed', 'bad'],
    [{ state: 'warn' }, 'Needs a look', 'warn'],
  ] as const)('%j reads "%s"', (numbers, headline, tone) => {
    const verdict = createFakeVerdict(numbers);
    expect(runVerdict(createFakeExperiment({ meta: { verdict } }))).toMatchObject({
      tone,
      headline,
    });
  });

  it('of a server that sends no headline is its state as text', () => {
    const experiment = createFakeExperiment({ meta: { verdict: { state: 'good' } } });
    expect(runVerdict(experiment)?.headline).toBe('Looks converged');
  });

  it('is that of the experiment if it has one, or of the draws', () => {
    const computed = createFakeVerdict({ state: 'warn', divergences: 4 });
    const own = createFakeExperiment({ meta: { verdict: { state: 'good' } } });
    expect(runVerdict(own, computed)?.headline).toBe('Looks converged');
    expect(runVerdict(createFakeExperiment(), computed)?.headline).toBe('4 divergences');
    expect(runVerdict(createFakeExperiment())).toBeNull();
  });

  it.each([
    [{ status: 'NEW' }, 'Not run yet'],
    [{ status: 'RUN', meta: { verdict: { state: 'good' } } }, 'Too early to tell'],
    [{ status: 'FIN', n_samples: 0 }, 'No verdict: the run has no draws'],
    [
      { status: 'ERR', meta: { error: { code: 'x', message: 'Out of memory\nat 3' } } },
      'Out of memory',
    ],
    [{ status: 'ERR' }, 'Failed'],
  ] as const)('of %j reads "%s"', (change, headline) => {
    expect(runVerdict(createFakeExperiment(change))?.headline).toBe(headline);
  });

  it('comes with the percentage of iterations done by all chains', () => {
    const progress = { done: 1999, total: 2000, chains: [] };
    expect(percentDone({ meta: { progress } })).toBe(99);
    expect(percentDone({ meta: { progress: { ...progress, total: 0 } } })).toBeNull();
    expect(percentDone({ meta: null })).toBeNull();
  });
});
