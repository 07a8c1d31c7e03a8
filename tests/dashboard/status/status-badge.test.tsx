// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { StatusBadge, statusOf } from '../../../src/dashboard/features/status/status-badge.tsx';
import { percentDone, verdictWords } from '../../../src/dashboard/features/status/verdict-mark.tsx';

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
  ])('%s with %j is "%s"', (status, meta, word, tone) => {
    expect(statusOf({ status, meta })).toEqual({ word, tone });
  });

  it('reads the same without meta', () => {
    expect(statusOf({ status: 'RUN', meta: null }).word).toBe('Running');
  });

  it('is a word beside its icon, and says when it is old or frozen', () => {
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
    [{ state: 'good' }, 'Converged'],
    [{ state: 'unknown', divergences: 9 }, 'Too early to tell'],
    [{ state: 'warn', divergences: 4 }, '4 divergences'],
    [{ state: 'warn', rhat_max: 1.034 }, 'R-hat 1.034'],
    [{ state: 'bad', ess_bulk_min: 212, ess_tail_min: 300 }, 'ESS low: 212'],
    [{ state: 'warn', ebfmi_min: 0.21 }, 'E-BFMI 0.21'],
    [{ state: 'bad', rhat_max: 1.2, divergences: 2 }, '2 checks failed'],
    [{ state: 'warn' }, 'Needs a look'],
  ] as const)('%j reads "%s"', (verdict, words) => {
    expect(verdictWords(verdict, 4)).toContain(words);
  });

  it('counts the iterations of all chains', () => {
    const progress = { done: 1999, total: 2000, chains: [] };
    expect(percentDone({ meta: { progress } })).toBe(99);
    expect(percentDone({ meta: { progress: { ...progress, total: 0 } } })).toBeNull();
    expect(percentDone({ meta: null })).toBeNull();
  });
});
