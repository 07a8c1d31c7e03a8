import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChain } from '../../src/engine/chain.ts';
import { ChainInterrupt } from '../../src/engine/chain-end.ts';
import { settingsOfChain } from '../../src/engine/chain-settings.ts';
import type { ChainSettings } from '../../src/engine/chain-state.ts';
import type { ChainCheckpoint, NutsCheckpoint } from '../../src/engine/checkpoint.ts';
import type { DrawBlock } from '../../src/engine/events.ts';
import type { Chain, ChainRequest } from '../../src/engine/machine.ts';
import type { Model } from '../../src/engine/model.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import { MemoryBudgetError } from '../../src/math/autodiff/tape.ts';
import { DomainError } from '../../src/math/errors.ts';
import {
  analyticModel,
  funnelModel,
  generatedOnlyModel,
  normalModel,
} from '../support/analytic-models.ts';
import { chainSettings, columnOf } from '../support/run-model.ts';

const short: ChainSettings = { ...chainSettings, numWarmup: 150, numSamples: 60 };
const model = normalModel([1, 2], [1, 10]);

function draws(chain: Chain): DrawBlock[] {
  const advance = chain.advance();
  if (advance.status !== 'finished') throw new Error(JSON.stringify(advance));
  return [...advance.blocks];
}

/** All columns of a phase as plain numbers: equal only if every bit is. */
function table(blocks: readonly DrawBlock[], phase: 'warmup' | 'sampling' = 'sampling') {
  const numColumns = blocks.length === 0 ? 0 : blocks[0].values.length / blocks[0].count;
  return Array.from({ length: numColumns }, (_, c) => [...columnOf(blocks, c, phase)]);
}

const throughJson = (checkpoint: ChainCheckpoint) =>
  JSON.parse(JSON.stringify(checkpoint)) as ChainCheckpoint;

describe('a chain', () => {
  it('draws the same for the same seed and chain, and differently otherwise', () => {
    const first = table(draws(createChain({ model, settings: short, chain: 1 })));
    expect(table(draws(createChain({ model, settings: short, chain: 1 })))).toEqual(first);
    expect(table(draws(createChain({ model, settings: short, chain: 2 })))).not.toEqual(first);
    const otherSeed = { ...short, seed: short.seed + 1 };
    expect(table(draws(createChain({ model, settings: otherSeed, chain: 1 })))).not.toEqual(first);
  });

  it.each([
    ['diag', false, undefined],
    ['dense', false, undefined],
    ['unit', false, undefined],
    ['diag', true, undefined],
    ['dense', true, undefined],
    ['low-rank', true, undefined],
    ['diag', false, 'walnuts'],
  ] as const)(
    'continues bit-identically from any checkpoint: metric %s, Fisher divergence %s, sampler %s',
    (metric, adaptsByFisher, sampler) => {
      const settings = { ...short, metric, adaptsByFisher, sampler, streamWarmup: true };
      const whole = draws(createChain({ model: funnelModel(2), settings, chain: 3 }));
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 6 }), (cuts) => {
          const blocks: DrawBlock[] = [];
          let chain = createChain({ model: funnelModel(2), settings, chain: 3 });
          for (const maxIterations of cuts) {
            blocks.push(...chain.advance({ maxIterations }).blocks);
            const checkpoint = throughJson(chain.checkpoint());
            chain = createChain({ model: funnelModel(2), settings, chain: 3, checkpoint });
          }
          blocks.push(...chain.advance().blocks);
          expect(table(blocks)).toEqual(table(whole));
          expect(table(blocks, 'warmup')).toEqual(table(whole, 'warmup'));
        }),
        { numRuns: 12 },
      );
    },
  );

  it('discards an interrupted iteration as if it had not begun', () => {
    const whole = table(draws(createChain({ model, settings: short, chain: 1 })));
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 2500 }), { maxLength: 8 }), (at) => {
        let calls = 0;
        const interrupted: Model = {
          ...model,
          logDensityGradient(theta, gradient) {
            if (at.includes(calls++)) throw new ChainInterrupt('now');
            return model.logDensityGradient(theta, gradient);
          },
        };
        const blocks: DrawBlock[] = [];
        let chain = createChain({ model: interrupted, settings: short, chain: 1 });
        for (;;) {
          const advance = chain.advance();
          blocks.push(...advance.blocks);
          if (advance.status === 'finished') break;
          expect(advance.status).toBe('running');
          const checkpoint = throughJson(chain.checkpoint());
          chain = createChain({ model: interrupted, settings: short, chain: 1, checkpoint });
        }
        expect(table(blocks)).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  it('is extended by a larger number of samples', () => {
    const long = { ...short, numSamples: 100 };
    const whole = table(draws(createChain({ model, settings: long, chain: 1 })));
    const chain = createChain({ model, settings: short, chain: 1 });
    const blocks = draws(chain);
    const checkpoint = throughJson(chain.checkpoint());
    blocks.push(...draws(createChain({ model, settings: long, chain: 1, checkpoint })));
    expect(table(blocks)).toEqual(whole);
  });

  it('has the same sampling draws whether or not warmup draws are streamed', () => {
    const quiet = createChain({ model, settings: short, chain: 1 });
    const talking = createChain({ model, settings: { ...short, streamWarmup: true }, chain: 1 });
    const blocks = draws(talking);
    const kept = draws(quiet);
    expect(table(kept)).toEqual(table(blocks));
    expect(kept.map(({ phase }) => phase)).toEqual(['sampling']);
    expect(columnOf(blocks, 0, 'warmup').length).toBe(short.numWarmup);
  });

  it.each([
    [5000, ['warmup', 'sampling']],
    [5001, ['sampling']],
  ])(
    'streams warmup draws to be watched, not kept, if the model has up to 5000 columns: %s',
    (count, phases) => {
      const wide: Model = {
        ...generatedOnlyModel(),
        numUnconstrained: model.numUnconstrained,
        logDensityGradient: (theta, gradient) => model.logDensityGradient(theta, gradient),
        columns: Array.from({ length: count }, (_, i) => `y[${i + 1}]`),
        constrain: (_theta, _rng, out) => out.fill(1),
      };
      const settings = { ...short, streamWarmup: 'if-small' as const };
      const blocks = draws(createChain({ model: wide, settings, chain: 1 }));
      expect([...new Set(blocks.map(({ phase }) => phase))]).toEqual(phases);
    },
  );

  it('keeps every `thin`-th draw, starting with the first', () => {
    const all = columnOf(draws(createChain({ model, settings: short, chain: 1 })), 0);
    const thinned = createChain({ model, settings: { ...short, thin: 7 }, chain: 1 });
    const kept = columnOf(draws(thinned), 0);
    expect([...kept]).toEqual([...all].filter((_, i) => i % 7 === 0));
  });

  it('keeps every `thin`-th warmup draw too, starting with the first', () => {
    const settings = { ...short, numWarmup: 20, streamWarmup: true };
    const all = draws(createChain({ model, settings, chain: 1 }));
    const thinned = draws(createChain({ model, settings: { ...settings, thin: 7 }, chain: 1 }));
    for (const phase of ['warmup', 'sampling'] as const)
      expect([...columnOf(thinned, 7, phase)]).toEqual(
        [...columnOf(all, 7, phase)].filter((_, i) => i % 7 === 0),
      );
  });

  it('continues from a checkpoint taken before its first iteration', () => {
    const whole = table(draws(createChain({ model, settings: short, chain: 1 })));
    const checkpoint = throughJson(createChain({ model, settings: short, chain: 1 }).checkpoint());
    const again = createChain({ model, settings: short, chain: 1, checkpoint });
    expect(table(draws(again))).toEqual(whole);
  });

  it('continues its counts from a checkpoint', () => {
    const chain = createChain({ model, settings: short, chain: 1, now: () => 0 });
    chain.advance({ maxIterations: 170 });
    const checkpoint = chain.checkpoint();
    const next = createChain({ model, settings: short, chain: 1, checkpoint });
    expect(next.progress()).toEqual(chain.progress());
    const { leapfrogs } = chain.progress();
    next.advance();
    expect(next.progress().leapfrogs).toBeGreaterThan(leapfrogs);
    // the new chain's later counts are its own
    expect(chain.progress().leapfrogs).toBe(leapfrogs);
    expect(checkpoint).toMatchObject({ tally: { leapfrogs } });
  });

  it('continues a checkpoint whether adaptsByFisher is false or left out', () => {
    const said = { ...short, adaptsByFisher: false };
    const chain = createChain({ model, settings: said, chain: 1 });
    chain.advance({ maxIterations: 10 });
    const next = createChain({ model, settings: short, chain: 1, checkpoint: chain.checkpoint() });
    expect(next.progress().iteration).toBe(10);
  });

  it('has no values of a unit metric in its checkpoint', () => {
    const settings = { ...short, metric: 'unit' as const };
    const chain = createChain({ model, settings, chain: 1 });
    expect(chain.checkpoint()).toMatchObject({ invMetric: '' });
  });

  it('refuses a checkpoint of another run and says what differs', () => {
    const chain = createChain({ model, settings: short, chain: 1 });
    chain.advance({ maxIterations: 10 });
    const checkpoint = chain.checkpoint() as NutsCheckpoint;
    const request = { model, settings: short, chain: 1, checkpoint };
    const withSettings = (change: Partial<ChainSettings>) => ({
      ...request,
      settings: { ...short, ...change },
    });
    const faults: readonly (readonly [ChainRequest, string])[] = [
      [{ ...request, checkpoint: { ...checkpoint, engineVersion: 1 } }, 'the engine version was 1'],
      [withSettings({ seed: 5 }), `the seed was ${short.seed} and is now 5`],
      [{ ...request, chain: 2 }, 'the chain was 1 and is now 2'],
      [{ ...request, model: normalModel([0], [1]) }, 'the number of parameters was 2 and is now 1'],
      [
        { ...request, model: { ...model, columns: ['x1', 'x2'] } },
        'the number of columns was 10 and is now 9',
      ],
      [withSettings({ sampler: 'walnuts' }), 'the sampler was nuts and is now walnuts'],
      [withSettings({ adaptsByFisher: true }), 'the adaptation was stan and is now fisher'],
      [withSettings({ numWarmup: 151 }), 'numWarmup was 150 and is now 151'],
      [withSettings({ thin: 2 }), 'thin was 1 and is now 2'],
      [withSettings({ adaptDelta: 0.9 }), 'adaptDelta was 0.8 and is now 0.9'],
      [withSettings({ maxTreeDepth: 9 }), 'maxTreeDepth was 10 and is now 9'],
      [withSettings({ metric: 'dense' }), 'metric was diag and is now dense'],
    ];
    for (const [other, difference] of faults)
      expect(() => createChain(other)).toThrow(
        expect.objectContaining({
          reason: 'bad-checkpoint',
          message: expect.stringContaining(`The checkpoint belongs to another run: ${difference}`),
        }),
      );
    const fitted = createChain({
      model,
      settings: settingsOfChain(
        { ...defaultSettings, algorithm: 'fixed_param' },
        { seed: short.seed, chain: 1, streamWarmup: false },
      ),
      chain: 1,
    });
    expect(() => createChain({ ...request, checkpoint: fitted.checkpoint() })).toThrow(
      expect.objectContaining({
        reason: 'bad-checkpoint',
        message: 'The checkpoint belongs to another algorithm.',
      }),
    );
  });

  it('continues with changed settings that affect no earlier draw', () => {
    const chain = createChain({ model, settings: short, chain: 1 });
    chain.advance({ maxIterations: 10 });
    const settings = { ...short, numSamples: 7, initRadius: 9, inits: { x1: 3 } };
    const next = createChain({ model, settings, chain: 1, checkpoint: chain.checkpoint() });
    expect(next.progress()).toMatchObject({ iteration: 10, of: 157 });
  });

  it('counts iterations, leapfrogs, divergences and seconds', () => {
    const settings = { ...short, streamWarmup: true };
    let ms = 0;
    const chain = createChain({ model, settings, chain: 1, now: () => ms++ });
    const blocks = draws(chain);
    const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
    expect(chain.progress()).toMatchObject({
      chain: 1,
      phase: 'sampling',
      iteration: 210,
      of: 210,
      leapfrogs: sum(columnOf(blocks, 4)),
      warmupLeapfrogs: sum(columnOf(blocks, 4, 'warmup')),
      divergences: sum(columnOf(blocks, 5)),
    });
    expect(chain.progress().warmupSeconds).toBeCloseTo(0.15, 12);
    expect(chain.progress().samplingSeconds).toBeCloseTo(0.06, 12);
  });

  it('measures time with the system clock by default', () => {
    const chain = createChain({ model, settings: short, chain: 1 });
    chain.advance({ maxIterations: 10 });
    expect(chain.progress().warmupSeconds).toBeGreaterThan(0);
  });
});

describe('a chain that advances', () => {
  const settings = { ...short, numWarmup: 20, numSamples: 10, streamWarmup: true };

  it('reports its progress with the draws since the last report', () => {
    const chain = createChain({ model, settings, chain: 2 });
    const steps = [5, 15, 7, 99].map((maxIterations) => {
      const { status, blocks } = chain.advance({ maxIterations });
      const { phase, iteration } = chain.progress();
      return [status, phase, iteration, blocks.map((block) => [block.phase, block.count])];
    });
    expect(steps).toEqual([
      ['running', 'warmup', 5, [['warmup', 5]]],
      ['running', 'sampling', 20, [['warmup', 15]]],
      ['running', 'sampling', 27, [['sampling', 7]]],
      ['finished', 'sampling', 30, [['sampling', 3]]],
    ]);
    expect(chain.advance()).toEqual({ status: 'finished', blocks: [] });
  });

  it('checks for a pause before each iteration', () => {
    const chain = createChain({ model, settings, chain: 1 });
    let left = 4;
    expect(chain.advance({ shouldPause: () => left-- === 0 })).toMatchObject({ status: 'running' });
    expect(chain.progress().iteration).toBe(4);
  });

  it('counts divergences and full-depth trees only in sampling', () => {
    const funnel = funnelModel(9);
    const deep = { ...settings, numWarmup: 60, numSamples: 300, adaptDelta: 0.3, maxTreeDepth: 3 };
    const chain = createChain({ model: funnel, settings: deep, chain: 1 });
    const blocks = draws(chain);
    const found = chain.progress();
    const depths = columnOf(blocks, 3);
    expect(found.treeDepthHits).toBe(depths.filter((depth) => depth === 3).length);
    expect(found.treeDepthHits).toBeGreaterThan(0);
    const divergent = columnOf(blocks, 5);
    expect(found.divergences).toBe(divergent.filter((value) => value === 1).length);
    expect(found.divergences).toBeGreaterThan(0);
  });

  it('without parameters has no warmup and zeros for the sampler’s statistics', () => {
    const model: Model = {
      ...generatedOnlyModel(),
      logDensityGradient() {
        throw new Error('there is no density to ask for');
      },
    };
    const chain = createChain({ model, settings, chain: 1 });
    expect(chain.progress()).toMatchObject({ phase: 'sampling', iteration: 0, of: 10 });
    const blocks = draws(chain);
    expect(blocks).toMatchObject([{ phase: 'sampling', count: 10 }]);
    for (let c = 0; c < 7; c++) expect(new Set(columnOf(blocks, c))).toEqual(new Set([0]));
    expect(new Set(columnOf(blocks, 7)).size).toBe(10);
  });
});

describe('a chain with a faulty program', () => {
  const throwing = (thrown: unknown, after = 900): Model => {
    let calls = 0;
    return {
      ...model,
      logDensityGradient(theta, gradient) {
        if (calls++ >= after) throw thrown;
        return model.logDensityGradient(theta, gradient);
      },
    };
  };

  it.each([
    ['program-failed', new Error('index 4 is out of range')],
    ['budget-exceeded', new MemoryBudgetError('needs more than 1 MiB')],
    ['budget-exceeded', new RangeError('Invalid typed array length: 100000000000')],
    ['budget-exceeded', new RangeError('Array buffer allocation failed')],
  ])('ends as %s and keeps its draws', (reason, error) => {
    const chain = createChain({ model: throwing(error), settings: short, chain: 4 });
    const advance = chain.advance();
    expect(advance).toMatchObject({ status: 'failed', failure: { chain: 4, reason } });
    const numSaved = chain.progress().iteration - short.numWarmup;
    expect(columnOf(advance.blocks, 0).length).toBe(Math.max(0, numSaved));
  });

  it('rejects proposals where the density is undefined, and logs this once', () => {
    const halved = analyticModel({
      names: ['x'],
      density([x], gradient) {
        if (x < 0) throw new DomainError('x must not be negative');
        gradient[0] = -x;
        return -0.5 * x * x;
      },
    });
    const lines: string[] = [];
    const onLog = (line: string) => lines.push(line);
    const blocks = draws(createChain({ model: halved, settings: short, chain: 1, onLog }));
    expect(Math.min(...columnOf(blocks, 7))).toBeGreaterThanOrEqual(0);
    expect(lines).toEqual([
      'A proposal was rejected because the density is undefined there: x must not be negative',
    ]);
  });

  it('writes NaN for undefined generated quantities', () => {
    const model: Model = {
      ...generatedOnlyModel(),
      constrain() {
        throw new DomainError('rate is 0');
      },
    };
    const lines: string[] = [];
    const settings = { ...short, numSamples: 3 };
    const onLog = (line: string) => lines.push(line);
    const blocks = draws(createChain({ model, settings, chain: 1, onLog }));
    expect([...columnOf(blocks, 7)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(lines).toEqual(['Some quantities of a draw are undefined: rate is 0']);
  });

  it('ends on any other error in generated quantities', () => {
    const broken: Model = {
      ...generatedOnlyModel(),
      constrain() {
        throw new Error('index 4 is out of range');
      },
    };
    expect(createChain({ model: broken, settings: short, chain: 1 }).advance()).toMatchObject({
      status: 'failed',
      failure: { reason: 'program-failed', message: 'index 4 is out of range' },
    });
  });

  it('logs at most a dozen reasons, since they may contain changing values', () => {
    let calls = 0;
    const model: Model = {
      ...generatedOnlyModel(),
      constrain() {
        throw new DomainError(`rate is ${-calls++}`);
      },
    };
    const lines: string[] = [];
    const onLog = (line: string) => lines.push(line);
    draws(createChain({ model, settings: short, chain: 1, onLog }));
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe('Some quantities of a draw are undefined: rate is -11');
  });

  it('ends when it finds no starting point', () => {
    const nowhere = analyticModel({ names: ['x'], density: () => Number.NEGATIVE_INFINITY });
    const chain = createChain({ model: nowhere, settings: short, chain: 1 });
    expect(chain.advance()).toMatchObject({
      status: 'failed',
      failure: { reason: 'no-start', message: expect.stringMatching(/^No starting point found/) },
    });
    expect(chain.checkpoint()).toMatchObject({ iteration: 0, position: null });
  });

  it('ends with a reason for an improper posterior', () => {
    const flat = analyticModel({
      names: ['x'],
      density(_theta, gradient) {
        gradient[0] = 0;
        return 0;
      },
    });
    expect(createChain({ model: flat, settings: short, chain: 1 }).advance()).toMatchObject({
      status: 'failed',
      failure: { reason: 'no-step-size' },
    });
  });
});
