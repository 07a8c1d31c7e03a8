/** The progress of a run: time left including the waiting chains, draws so far, how fresh the figures are. */
import { describe, expect, it } from 'vitest';
import type { ChainProgress } from '../../../src/contract/experiment.ts';
import {
  secondsLeft,
  soFarText,
  timeLeftText,
} from '../../../src/dashboard/features/experiment/run/live-progress.ts';
import { freshnessText } from '../../../src/dashboard/features/live/freshness.ts';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { FakeRun } from '../../support/fake-run.ts';

/** Its speed is settled: it made a hundred iterations in addition to those given. */
const chain = ({ iteration = 0, of = 1000, ...change }: Partial<ChainProgress>): ChainProgress => ({
  name: 'chain#1',
  phase: 'sampling',
  iteration: iteration + 100,
  of: of + 100,
  draws_per_second: 100,
  divergences: 0,
  ...change,
});
const waiting = chain({ phase: 'waiting', draws_per_second: null });
const done = chain({ phase: 'done', iteration: 1000, draws_per_second: null });
const withChains = (chains: ChainProgress[], meta = {}) =>
  createFakeExperiment({
    status: 'RUN',
    n_samples: 0,
    meta: { progress: { done: 0, total: 4000, chains }, ...meta },
  });

describe('the time left', () => {
  it('is that of the slowest chain while all of them run', () => {
    expect(secondsLeft([chain({ iteration: 500 }), chain({ draws_per_second: 50 })])).toBe(20);
  });

  it('counts the chains that wait for a core behind those that run', () => {
    const chains = [chain({ iteration: 500 }), chain({ iteration: 500 }), waiting, waiting];
    expect(secondsLeft(chains)).toBe(15);
    expect(timeLeftText(withChains(chains))).toBe('4 chains (2 waiting), about 15 s left');
  });

  it('assigns a waiting chain to the core that is free first', () => {
    expect(secondsLeft([chain({ iteration: 900 }), chain({}), waiting])).toBe(11);
  });

  it('uses the speed of the others for a chain without one', () => {
    expect(secondsLeft([chain({}), chain({ draws_per_second: null }), done])).toBe(10);
  });

  it('is not known before any chain has a speed', () => {
    expect(secondsLeft([chain({ draws_per_second: null }), waiting])).toBeNull();
    expect(secondsLeft([done, done])).toBeNull();
    expect(timeLeftText(createFakeExperiment({ status: 'RUN' }))).toBeNull();
  });

  it('is not estimated from early iterations, which say little about the speed', () => {
    const early = { ...chain({ phase: 'warmup' }), iteration: 22 };
    expect(timeLeftText(withChains([early, early]))).toBeNull();
    expect(secondsLeft([early, early, chain({})])).toBeNull();
    expect(secondsLeft([{ ...early, of: 200 }])).toBeCloseTo(1.78, 2);
  });

  it('is written without decimals', () => {
    expect(timeLeftText(withChains([done, chain({ iteration: 990 })]))).toBe(
      '1 chain, about 1 s left',
    );
    expect(timeLeftText(withChains([chain({ of: 60_000 })]))).toBe('1 chain, about 10 min left');
  });
});

describe('the draws so far', () => {
  it('are the draws of all chains, including chains without any', () => {
    const third = { ...waiting, name: 'chain#3', draws: 0 };
    const chains = [chain({ draws: 5670 }), chain({ name: 'chain#2', draws: 6836 }), third];
    const run = withChains(chains, { iteration_count: 100_000 });
    expect(soFarText(run, null)).toBe('12\u202f506 of 300\u202f000 draws so far.');
  });

  it('may exceed the draws behind R-hat and ESS, whose number is then given', () => {
    const run = new FakeRun({ numWarmup: 40, numSamples: 120 });
    run.advance(140);
    const summary = run.summary();
    run.advance(10);
    const shown = run.experiment();
    expect(soFarText(shown, summary)).toBe('440 draws so far; R-hat and ESS of 4 × 100 draws.');
    expect(soFarText(shown, run.summary())).toBe('440 draws so far.');
  });

  it('are none during warmup', () => {
    expect(soFarText(withChains([chain({ phase: 'warmup', draws: 0 })]), null)).toBe(
      'Warmup: no draws yet.',
    );
    expect(soFarText(withChains([{ ...waiting, draws: 0 }]), null)).toBe('No draws yet.');
  });
});

describe('figures of a running run', () => {
  it('are live for two seconds, then show their age', () => {
    const text = (seconds: number) => freshnessText(1_000_000, 1_000_000 + seconds * 1000);
    expect([0, 2, 3, 89, 150].map(text)).toEqual([
      'Live, updated just now',
      'Live, updated just now',
      'Updated 3 s ago',
      'Updated 89 s ago',
      'Updated 3 min ago',
    ]);
    expect(freshnessText(0, 5000)).toBeNull();
  });
});
