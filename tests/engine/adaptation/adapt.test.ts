/** When warmup learns, and when it stops. */
import { describe, expect, it } from 'vitest';
import { createFisherSchedule } from '../../../src/engine/adaptation/fisher-schedule.ts';
import { createWarmupSchedule } from '../../../src/engine/adaptation/warmup-schedule.ts';
import { createChain } from '../../../src/engine/chain.ts';
import type { ChainSettings } from '../../../src/engine/chain-state.ts';
import { decodeFloats, type NutsCheckpoint } from '../../../src/engine/checkpoint.ts';
import { normalModel } from '../../support/analytic-models.ts';
import { chainSettings } from '../../support/run-model.ts';

const numWarmup = 100;
const { fixedFrom, windowEnds } = createFisherSchedule(numWarmup);

/** A chain's checkpoints after these iterations, ascending. */
function reached(own: Partial<ChainSettings>, ...iterations: number[]): NutsCheckpoint[] {
  const settings = { ...chainSettings, numSamples: 20, ...own };
  const chain = createChain({ model: normalModel([1, 2, 3], [1, 10, 0.1]), settings, chain: 1 });
  let done = 0;
  return iterations.map((iteration) => {
    chain.advance({ maxIterations: iteration - done });
    done = iteration;
    return chain.checkpoint() as NutsCheckpoint;
  });
}

describe("Stan's windows", () => {
  const stan = { numWarmup: 150, metric: 'diag' } as const;
  const schedule = createWarmupSchedule(stan.numWarmup);
  const { initBuffer } = schedule;
  const [windowEnd] = schedule.windowEnds;
  const [before, window, set, warm] = reached(
    stan,
    initBuffer,
    windowEnd,
    windowEnd + 1,
    stan.numWarmup,
  );

  it('collect draws from the end of the initial buffer to the end of a window', () => {
    expect(before.welford.count).toBe(0);
    expect(window.welford.count).toBe(windowEnd - initBuffer);
    expect(set.welford.count).toBe(0);
    expect(warm.welford.count).toBe(0);
  });

  it('set the metric when they end and start a new step-size search', () => {
    expect(window.invMetric).toBe(before.invMetric);
    expect(set.invMetric).not.toBe(window.invMetric);
    expect(warm.invMetric).toBe(set.invMetric);
    expect([window, set, warm].map((one) => one.searchStepSize)).toEqual([false, true, false]);
  });

  it('leave a unit metric and its step size alone', () => {
    const [, end] = reached({ ...stan, metric: 'unit' }, windowEnd, windowEnd + 1);
    expect(end.iteration).toBe(windowEnd + 1);
    expect(end.invMetric).toBe('');
    expect(end.searchStepSize).toBe(false);
  });

  it('end warmup with the averaged step size', () => {
    const [, , , xBar] = decodeFloats(warm.dualAveraging);
    expect([...decodeFloats(warm.stepSize)]).toEqual([Math.exp(xBar)]);
    const [last] = reached(stan, stan.numWarmup - 1);
    const [, , , lastXBar] = decodeFloats(last.dualAveraging);
    expect([...decodeFloats(last.stepSize)]).not.toEqual([Math.exp(lastXBar)]);
  });
});

describe.each(['diag', 'low-rank'] as const)(
  'a %s metric adapted by Fisher divergence',
  (metric) => {
    const at = (...iterations: number[]) =>
      reached({ metric, adaptsByFisher: true, numWarmup }, ...iterations);

    it(`changes ${metric === 'diag' ? 'after every draw' : 'when a window ends, not after every draw'}`, () => {
      const [one, other] = at(12, 13);
      if (metric === 'diag') expect(other.invMetric).not.toBe(one.invMetric);
      else expect(other.invMetric).toBe(one.invMetric);
      const [window] = windowEnds;
      const [before, set] = at(window, window + 1);
      expect(set.invMetric).not.toBe(before.invMetric);
    });

    it('is updated once more when it is fixed, and its sample is cleared', () => {
      expect(windowEnds).not.toContain(fixedFrom - 1);
      const [before, fixed] = at(fixedFrom - 1, fixedFrom);
      expect(before.fisher?.count).toBeGreaterThan(20);
      expect(before.fisher?.values).not.toBe('');
      expect(fixed.invMetric).not.toBe(before.invMetric);
      expect(fixed.fisher).toEqual({ count: 0, youngerCount: 0, values: '' });
    });

    it('does not change once fixed, while the step size adapts until warmup ends', () => {
      const [fixed, warm, sampling] = at(fixedFrom, numWarmup, numWarmup + 10);
      expect([warm.invMetric, sampling.invMetric]).toEqual([fixed.invMetric, fixed.invMetric]);
      expect(warm.fisher).toEqual(fixed.fisher);
      expect(warm.stepSize).not.toBe(fixed.stepSize);
      expect(sampling.stepSize).toBe(warm.stepSize);
    });
  },
);
