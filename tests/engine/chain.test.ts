import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChain } from '../../src/engine/chain.ts';
import { ChainInterrupt } from '../../src/engine/chain-end.ts';
import type { ChainSettings } from '../../src/engine/chain-state.ts';
import type { ChainCheckpoint } from '../../src/engine/checkpoint.ts';
import type { DrawBlock } from '../../src/engine/events.ts';
import type { Chain } from '../../src/engine/machine.ts';
import type { Model } from '../../src/engine/model.ts';
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

/** All columns of a phase as plain numbers: equal only when every bit is. */
function table(blocks: readonly DrawBlock[], phase: 'warmup' | 'sampling' = 'sampling') {
  const numColumns = blocks.length === 0 ? 0 : blocks[0].values.length / blocks[0].count;
  return Array.from({ length: numColumns }, (_, c) => [...columnOf(blocks, c, phase)]);
}

const throughJson = (checkpoint: ChainCheckpoint) =>
  JSON.parse(JSON.stringify(checkpoint)) as ChainCheckpoint;

describe('a chain', () => {
  it('gives the same draws for the same seed and chain, and others for others', () => {
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
    'goes on bit-identically from checkpoints anywhere, metric %s, by Fisher divergence: %s, sampler %s',
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

  it('leaves an iteration that is interrupted anywhere as if it had not begun', () => {
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

  it('gives the same sampling draws whether warmup is given out or not', () => {
    const quiet = createChain({ model, settings: short, chain: 1 });
    const talking = createChain({ model, settings: { ...short, streamWarmup: true }, chain: 1 });
    const blocks = draws(talking);
    expect(table(draws(quiet))).toEqual(table(blocks));
    expect(columnOf(blocks, 0, 'warmup').length).toBe(short.numWarmup);
  });

  it('keeps one of `thin` draws, the first first', () => {
    const all = columnOf(draws(createChain({ model, settings: short, chain: 1 })), 0);
    const thinned = createChain({ model, settings: { ...short, thin: 7 }, chain: 1 });
    const kept = columnOf(draws(thinned), 0);
    expect([...kept]).toEqual([...all].filter((_, i) => i % 7 === 0));
  });

  it('refuses a checkpoint of another run and says what differs', () => {
    const chain = createChain({ model, settings: short, chain: 1 });
    chain.advance({ maxIterations: 10 });
    const checkpoint = chain.checkpoint();
    const request = { model, settings: short, chain: 1, checkpoint };
    expect(() => createChain({ ...request, settings: { ...short, seed: 5 } })).toThrow(/seed/);
    expect(() => createChain({ ...request, chain: 2 })).toThrow(/chain was 1/);
    expect(() => createChain({ ...request, model: normalModel([0], [1]) })).toThrow(/parameters/);
    expect(() => createChain({ ...request, settings: { ...short, thin: 2 } })).toThrow(/thin/);
    const other = { ...short, adaptsByFisher: true };
    expect(() => createChain({ ...request, settings: other })).toThrow(/adaptation was stan/);
  });

  it('counts its work', () => {
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
});

describe('what a program does wrong', () => {
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
  ])('ends the chain as %s and keeps its draws', (reason, error) => {
    const chain = createChain({ model: throwing(error), settings: short, chain: 4 });
    const advance = chain.advance();
    expect(advance).toMatchObject({ status: 'failed', failure: { chain: 4, reason } });
    const numSaved = chain.progress().iteration - short.numWarmup;
    expect(columnOf(advance.blocks, 0).length).toBe(Math.max(0, numSaved));
  });

  it('rejects proposals where the density is undefined, and says so once', () => {
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

  it('leaves NaN where generated quantities are undefined', () => {
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
    expect(lines.length).toBe(1);
  });

  it('ends an improper posterior with a reason', () => {
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
