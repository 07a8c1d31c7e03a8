import { describe, expect, it } from 'vitest';
import {
  availableDraws,
  chainNamesOf,
  iterationsOnAxis,
  progressOf,
  thinOf,
} from '../../../src/dashboard/features/experiment/run/run-facts.ts';
import { isLiveStatus } from '../../../src/dashboard/objects/live-status.ts';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { FakeRun } from '../../support/fake-run.ts';

describe('the axis of a trace', () => {
  const lengthOf = (status: string, action: string, isLive: boolean) =>
    iterationsOnAxis(
      createFakeExperiment({
        status,
        n_samples: 20,
        meta: { action, settings: { num_samples: 3000, thin: 2 } },
      }),
      null,
      isLive,
    );

  it('has room for what is left of a run that continues or is paused', () => {
    expect(lengthOf('RUN', '', true)).toBe(3000);
    expect(lengthOf('RUN', 'paused', true)).toBe(3000);
    expect(lengthOf('FIN', 'paused', false)).toBe(3000);
  });

  it('ends where a run has ended', () => {
    expect(lengthOf('FIN', 'stopped', false)).toBe(40);
    expect(lengthOf('ERR', '', false)).toBe(40);
  });
});

describe('draws the server has', () => {
  it.each([1, 2, 3, 7])('are counted by chain as the engine saves them, thin %s', (thin) => {
    const run = new FakeRun({ numWarmup: 40, numSamples: 100, thin });
    for (const step of [1, 20, 40, 41, 43, 77]) {
      run.advance(step, 2);
      const { warmup, sampling } = availableDraws(run.experiment(), false);
      for (const [index, name] of run.chainNames.entries()) {
        expect(warmup.byChain.get(name)).toBe(run.draws('mu', index + 1, 'warmup').length);
        expect(sampling.byChain.get(name)).toBe(run.draws('mu', index + 1, 'sampling').length);
      }
    }
  });

  it.each(['RUN', 'FIN'])(
    'have no warmup for chains that start from the warmup of another, %s',
    (status) => {
      const chain = (number: number, more: object = {}) => ({
        name: `chain#${number}`,
        phase: 'sampling' as const,
        iteration: 70,
        of: 150,
        divergences: 0,
        ...more,
      });
      const { warmup, sampling } = availableDraws(
        createFakeExperiment({
          status,
          n_samples: 20,
          meta: {
            settings: { num_warmup: 50, num_samples: 100, save_warmup: true },
            progress: {
              done: 90,
              total: 250,
              chains: [chain(1), chain(2, { warmed_by: 'chain#1' })],
            },
          },
        }),
        false,
      );
      // only the named chains are requested
      expect([...warmup.byChain]).toEqual([
        ['chain#1', 50],
        ['chain#2', 0],
      ]);
      expect(sampling.byChain.get('chain#2') ?? sampling.others).toBe(20);
    },
  );

  it('are those known once the run has ended, with warmup only if it was saved', () => {
    const run = new FakeRun({ status: 'FIN', thin: 2 });
    const over = run.experiment();
    expect(availableDraws(over, false)).toMatchObject({
      warmup: { others: 0 },
      sampling: { others: 60 },
    });
    const kept = { ...over, meta: { settings: { ...run.settings, save_warmup: true } } };
    expect(availableDraws(kept, false).warmup.others).toBe(20);
    expect(availableDraws(kept, true).warmup.others).toBe(0);
  });

  it('of an imported run or another server are its samples', () => {
    const imported = createFakeExperiment({ n_samples: 250, meta: {} });
    expect(availableDraws(imported, false).sampling).toEqual({ byChain: new Map(), others: 250 });
    const elsewhere = createFakeExperiment({ status: 'RUN', n_samples: 12, meta: undefined });
    expect(availableDraws(elsewhere, false).sampling.others).toBe(12);
  });

  it('of a snapshot taken during a run are those that were frozen', () => {
    const run = new FakeRun();
    run.advance(60);
    expect(availableDraws(run.experiment(), true)).toMatchObject({
      warmup: { others: 0 },
      sampling: { byChain: new Map(), others: 20 },
    });
  });
});

describe('a run', () => {
  it.each([
    ['NEW', true],
    ['RUN', true],
    ['SAMPLE_FIN', true],
    ['FIN', false],
    ['ERR', false],
    ['ARCHIVED', false],
    ['', false],
  ])('of status %s changes by itself: %s', (status, live) => {
    expect(isLiveStatus(status)).toBe(live);
  });

  it('thins by at least 1', () => {
    expect(thinOf(createFakeExperiment({ meta: { settings: { thin: 0 } } }))).toBe(1);
    expect(thinOf(createFakeExperiment({ meta: { settings: { thin: 'x' } } }))).toBe(1);
  });

  it('names its chains in order, so that a chain keeps its colour from the start', () => {
    const run = new FakeRun({ numChains: 11 });
    const names = chainNamesOf(run.experiment(), null, ['chain#3']);
    expect(names.slice(0, 3)).toEqual(['chain#1', 'chain#2', 'chain#3']);
    expect(names.at(-1)).toBe('chain#11');
    expect(chainNamesOf(createFakeExperiment(), null, ['b', 'a'])).toEqual(['a', 'b']);
  });

  it('makes progress when its status, action, iterations or draws change', () => {
    const run = new FakeRun();
    const seen = new Set([progressOf(run.experiment())]);
    run.advance(1, 2);
    seen.add(progressOf(run.experiment()));
    run.action = 'paused';
    seen.add(progressOf(run.experiment()));
    run.finish();
    seen.add(progressOf(run.experiment()));
    expect(seen.size).toBe(4);
  });
});
