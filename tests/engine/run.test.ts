import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createChain } from '../../src/engine/chain.ts';
import type { ChainSettings, SourceDraws } from '../../src/engine/chain-state.ts';
import type { Model } from '../../src/engine/model.ts';
import { adaptationOf, runChains } from '../../src/engine/run.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import { type Settings } from '../../src/engine/settings-table.ts';
import { countIdleThreads, endThreads } from '../../src/engine/workers/node-threads.ts';
import type { ChainEvent } from '../../src/engine/workers/protocol.ts';
import { generatedOnlyModel, normalModel } from '../support/analytic-models.ts';
import { type BundledWorker, bundleWorker } from '../support/bundle-worker.ts';
import { chainSettings, expectMean } from '../support/run-model.ts';

let worker: BundledWorker;
beforeAll(async () => {
  worker = await bundleWorker('tests/support/analytic-chain-worker.ts');
});
afterAll(() => worker.remove());

const settings: Settings = { ...defaultSettings, numWarmup: 300, numSamples: 400, seed: 7 };
const run = (extra: object = {}, source = 'normal') =>
  runChains({ source, data: {}, settings, workerUrl: worker.url, ...extra });

describe('runChains', () => {
  it('returns the same draws for any number of threads', async () => {
    const alone = await run({ parallel: 1 });
    const crowd = await run({ parallel: 4, limits: { flushMs: 3 } });
    expect(alone.chains.map((chain) => chain.outcome.status)).toEqual(
      Array.from({ length: 4 }, () => 'complete'),
    );
    expect(crowd.chains.map((chain) => chain.sampling)).toEqual(
      alone.chains.map((chain) => chain.sampling),
    );
    const x1 = alone.columns.indexOf('x1');
    expectMean(
      alone.chains.map((chain) => chain.sampling[x1]),
      1,
    );
    expect(alone.chains[0].warmup[x1].length).toBe(0);
    expect(alone.chains[0].adaptation?.invMetric.length).toBe(2);
  });

  it('keeps warmup when asked', async () => {
    const { chains } = await run({ settings: { ...settings, saveWarmup: true, numChains: 1 } });
    expect(chains[0].warmup[0].length).toBe(300);
    expect(chains[0].sampling[0].length).toBe(400);
  });

  describe('with a shared warmup', () => {
    const shared = { ...settings, numChains: 5, warmupChains: 2 };

    it('returns the same draws for any number of threads', async () => {
      const alone = await run({ settings: { ...shared, saveWarmup: true }, parallel: 1 });
      const crowd = await run({ settings: shared, parallel: 5, limits: { flushMs: 3 } });
      expect(crowd.chains.map((chain) => chain.sampling)).toEqual(
        alone.chains.map((chain) => chain.sampling),
      );
      expect(alone.chains.map(({ warmedBy }) => warmedBy)).toEqual([undefined, undefined, 1, 2, 1]);
      expect(alone.chains.map(({ warmup }) => warmup[0].length)).toEqual([300, 300, 0, 0, 0]);
      expect(alone.chains.map(({ sampling }) => sampling[0].length)).toEqual(Array(5).fill(400));
      const plain = await run({ settings: { ...shared, warmupChains: null } });
      const draws = (chain: number, of = alone) => of.chains[chain].sampling;
      // chains that warm up draw the same as without followers
      expect([draws(0), draws(1)]).toEqual([draws(0, plain), draws(1, plain)]);
      expect(draws(2)).not.toEqual(draws(2, plain));
      expect(alone.chains[2].progress).toMatchObject({ iteration: 700, warmupLeapfrogs: 0 });
    });

    it('reports why a chain could not start', async () => {
      const { chains } = await run({ settings: shared, parallel: 2 }, 'asks for 100 GB');
      expect(chains.map(({ outcome }) => outcome)).toMatchObject(
        [1, 2, 3, 4, 5].map((chain) => ({
          status: 'failed',
          failure: { chain, reason: 'budget-exceeded' },
        })),
      );
      expect(chains[4].outcome).toMatchObject({
        failure: { message: expect.stringMatching(/^Chain 1 did not finish its warmup: /) },
      });
    });

    it('starts no chain once it is stopped', async () => {
      const stop = new AbortController();
      const { chains } = await run({
        settings: { ...shared, numWarmup: 1e8 },
        parallel: 2,
        signal: stop.signal,
        onEvent: () => stop.abort(),
      });
      expect(chains.map(({ outcome }) => outcome.status)).toEqual(Array(5).fill('stopped'));
    });
  });

  it('draws and reports a seed when none is given', async () => {
    const unseeded = { ...settings, seed: null, numChains: 1, numSamples: 10 };
    const { seed, chains } = await run({ settings: unseeded });
    const again = await run({ settings: { ...unseeded, seed } });
    expect(again.chains[0].sampling).toEqual(chains[0].sampling);
  });

  it('reads the draws of each chain of an earlier run', async () => {
    const source = (first: number): SourceDraws => ({
      columns: ['lp__', 'x1', 'x2'],
      count: 2,
      values: Float64Array.of(-1, -2, first, first + 1, 5, 6),
      isParametersOnly: true,
    });
    const { columns, variables, chains } = await run({
      settings: { ...settings, algorithm: 'generate_quantities' },
      sources: [source(10), source(20)],
    });
    expect(columns).toEqual(['lp__', 'x1', 'x2', 'noise']);
    expect(variables.map(({ name }) => name)).toEqual(['x1', 'x2', 'noise']);
    expect(chains.map(({ chain }) => chain)).toEqual([1, 2]);
    expect(chains.map(({ sampling }) => [...sampling[1]])).toEqual([
      [10, 11],
      [20, 21],
    ]);
    expect(chains.map(({ adaptation }) => adaptation)).toEqual([null, null]);
  });

  it('runs several chains in one thread when there are fewer threads than chains', async () => {
    const threadsOf = async (extra: object) => {
      await endThreads();
      const lines = new Set<string>();
      const onEvent = (_chain: number, event: ChainEvent) => {
        if (event.type === 'log') lines.add(event.line);
      };
      const short = { ...settings, numChains: 2, numWarmup: 0, numSamples: 5 };
      const { chains } = await run({ settings: short, onEvent, ...extra }, 'says its thread');
      expect(chains.map(({ outcome }) => outcome.status)).toEqual(['complete', 'complete']);
      expect(countIdleThreads()).toBe(lines.size);
      return lines.size;
    };
    // at least one
    for (const parallel of [0, 1]) expect(await threadsOf({ parallel })).toBe(1);
    expect(await threadsOf({ parallel: 2 })).toBe(2);
    const one = { ...settings, numChains: 2, numWarmup: 0, numSamples: 5, parallelChains: 1 };
    expect(await threadsOf({ settings: one })).toBe(1);
  });

  it('returns the columns of the chains that start', async () => {
    const { columns, variables, chains } = await run(
      { settings: { ...settings, numChains: 2, numWarmup: 0, numSamples: 5 }, parallel: 2 },
      'nothing of the kind in chain 1',
    );
    expect(chains.map(({ outcome }) => outcome.status)).toEqual(['failed', 'complete']);
    expect(columns.slice(-3)).toEqual(['x1', 'x2', 'noise']);
    expect(variables.map(({ name }) => name)).toEqual(['x1', 'x2', 'noise']);
  });

  it('starts no further chain of a program with which each would fail', async () => {
    const failed: number[] = [];
    const { chains } = await run(
      {
        settings: { ...settings, numChains: 50 },
        parallel: 1,
        onEvent: (chain: number, { type }: ChainEvent) => type === 'failed' && failed.push(chain),
      },
      'nothing of the kind',
    );
    expect(failed).toEqual([1]);
    expect(chains.map(({ outcome }) => outcome)).toMatchObject(
      Array.from({ length: 50 }, (_, i) => ({
        status: 'failed',
        failure: { chain: i + 1, reason: 'program-invalid' },
      })),
    );
  });

  it('returns nothing when no chain started, and removes its abort listener', async () => {
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const listen = vi.spyOn(signal, 'addEventListener').mockImplementation((_type, listener) => {
      listeners.add(listener);
    });
    vi.spyOn(signal, 'removeEventListener').mockImplementation((_type, listener) => {
      listeners.delete(listener);
    });
    const { columns, variables, chains } = await run(
      { settings: { ...settings, numChains: 1 }, signal },
      'nothing of the kind',
    );
    expect([columns, variables]).toEqual([[], []]);
    expect(chains).toMatchObject([
      { outcome: { status: 'failed' }, progress: null, adaptation: null, sampling: [] },
    ]);
    expect(listen).toHaveBeenCalledWith('abort', expect.any(Function));
    expect(listeners.size).toBe(0);
  });

  it('reports how each chain ended', async () => {
    const { chains, columns } = await run({}, 'asks for 100 GB');
    expect(chains.map((chain) => chain.outcome)).toMatchObject(
      Array.from({ length: 4 }, (_, i) => ({
        status: 'failed',
        failure: { chain: i + 1, reason: 'budget-exceeded' },
      })),
    );
    expect(columns).toContain('x1');
  });

  it('stops all chains on a signal, including those that wait', async () => {
    const stop = new AbortController();
    const { chains } = await run({
      settings: { ...settings, numSamples: 1e8 },
      parallel: 2,
      signal: stop.signal,
      onEvent: (_chain: number, event: { type: string }) => {
        if (event.type === 'advanced') stop.abort();
      },
    });
    expect(chains.map((chain) => chain.outcome.status)).toEqual(
      Array.from({ length: 4 }, () => 'stopped'),
    );
    expect(chains[3].progress).toBeNull();
  });
});

describe('the result of warmup', () => {
  const adaptationAfter = (change: Partial<ChainSettings>, model: Model) => {
    const chain = createChain({ model, settings: { ...chainSettings, ...change }, chain: 1 });
    chain.advance({ maxIterations: 1000 });
    return adaptationOf(chain.checkpoint());
  };
  const model = normalModel([0, 0], [1, 3]);

  it.each(['diag', 'low-rank'] as const)('includes a step size and variances: %s', (metric) => {
    const found = adaptationAfter({ metric, adaptsByFisher: metric === 'low-rank' }, model);
    if (found === null) throw new Error('nothing adapted');
    expect(found.stepSize).toBeGreaterThan(0.1);
    expect(found.invMetric).toHaveLength(2);
    expect(found.invMetric[0] / 1).toBeCloseTo(1, 0);
    expect(found.invMetric[1] / 9).toBeCloseTo(1, 0);
  });

  it('includes all covariances of a dense metric and no values of a unit metric', () => {
    expect(adaptationAfter({ metric: 'dense' }, model)?.invMetric).toHaveLength(4);
    expect(adaptationAfter({ metric: 'unit' }, model)?.invMetric).toHaveLength(0);
  });

  it('is null without parameters and for other algorithms', () => {
    expect(adaptationAfter({}, generatedOnlyModel())).toBeNull();
    const density = { constrained: { x1: 0, x2: 0 } };
    expect(adaptationAfter({ density }, model)).toBeNull();
  });
});
