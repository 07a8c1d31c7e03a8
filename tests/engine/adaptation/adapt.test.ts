/** When warmup by Fisher divergence learns, and when it stops. */
import { describe, expect, it } from 'vitest';
import { createFisherSchedule } from '../../../src/engine/adaptation/fisher-schedule.ts';
import { createChain } from '../../../src/engine/chain.ts';
import type { NutsCheckpoint } from '../../../src/engine/checkpoint.ts';
import { normalModel } from '../../support/analytic-models.ts';
import { chainSettings } from '../../support/run-model.ts';

const numWarmup = 100;
const { fixedFrom, windowEnds } = createFisherSchedule(numWarmup);

describe.each(['diag', 'low-rank'] as const)('a %s metric', (metric) => {
  const settings = { ...chainSettings, metric, adaptsByFisher: true, numWarmup, numSamples: 20 };
  /** After so many iterations. */
  const at = (...iterations: number[]) => {
    const chain = createChain({ model: normalModel([1, 2, 3], [1, 10, 0.1]), settings, chain: 1 });
    let done = 0;
    return iterations.map((iteration) => {
      chain.advance({ maxIterations: iteration - done });
      done = iteration;
      return chain.checkpoint() as NutsCheckpoint;
    });
  };

  it('learns once more where it is fixed, and forgets its sample', () => {
    expect(windowEnds).not.toContain(fixedFrom - 1);
    const [before, fixed] = at(fixedFrom - 1, fixedFrom);
    expect(before.fisher?.count).toBeGreaterThan(20);
    expect(before.fisher?.values).not.toBe('');
    expect(fixed.invMetric).not.toBe(before.invMetric);
    expect(fixed.fisher).toEqual({ count: 0, youngerCount: 0, values: '' });
  });

  it('stays as it is from there on, while the step size adapts', () => {
    const [fixed, warm, sampling] = at(fixedFrom, numWarmup, numWarmup + 10);
    expect([warm.invMetric, sampling.invMetric]).toEqual([fixed.invMetric, fixed.invMetric]);
    expect(warm.fisher).toEqual(fixed.fisher);
    expect(warm.stepSize).not.toBe(fixed.stepSize);
    expect(sampling.stepSize).toBe(warm.stepSize);
  });
});
