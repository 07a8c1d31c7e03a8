import { describe, expect, it } from 'vitest';
import { createChain } from '../../src/engine/chain.ts';
import { readDensityRow } from '../../src/engine/density-chain.ts';
import type { DensityPoint } from '../../src/engine/log-density.ts';
import { chainSettings } from '../support/run-model.ts';
import { modelOf } from '../support/stan-program.ts';

const model = modelOf(
  'parameters { real<lower=0> sigma; vector[2] x; } model { sigma ~ exponential(2); x ~ normal(sigma, 1); if (x[1] > 9) reject("too far"); }',
);

const chainAt = (density: DensityPoint) =>
  createChain({ model, settings: { ...chainSettings, density }, chain: 3 });

describe('a chain of the log density at a point', () => {
  it('writes one row of free values, and log densities and gradients with and without Jacobian', () => {
    const chain = chainAt({ constrained: { sigma: 2, x: [1, 4] } });
    expect(chain.columns).toEqual([
      'lp__',
      'lp_without_jacobian__',
      'sigma',
      'x.1',
      'x.2',
      'g_sigma',
      'g_x.1',
      'g_x.2',
      'g_without_jacobian_sigma',
      'g_without_jacobian_x.1',
      'g_without_jacobian_x.2',
    ]);
    expect(chain.progress()).toMatchObject({ chain: 3, phase: 'sampling', iteration: 0, of: 1 });
    const advance = chain.advance();
    expect(advance).toMatchObject({
      status: 'finished',
      blocks: [{ chain: 3, phase: 'sampling', firstIteration: 1, count: 1 }],
    });
    expect(chain.progress()).toMatchObject({ iteration: 1, of: 1, divergences: 0, leapfrogs: 0 });
    const row = readDensityRow(chain.columns, advance.blocks[0]);
    expect(row.names).toEqual(['sigma', 'x.1', 'x.2']);
    expect([...row.unconstrained]).toEqual([Math.log(2), 1, 4]);
    // −2 · 2 − ½ (1² + 2²); by log sigma: 2 (−2 + (1 − 2) + (4 − 2))
    const lp = -4 - 0.5 * 5;
    expect(row.withoutJacobian.lp).toBeCloseTo(lp, 12);
    expect(row.withJacobian.lp).toBeCloseTo(lp + Math.log(2), 12);
    const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));
    expect([...row.withoutJacobian.gradient]).toEqual(close([-2, 1, -2]));
    expect([...row.withJacobian.gradient]).toEqual(close([-1, 1, -2]));
  });

  it('returns its row only once', () => {
    const chain = chainAt({ unconstrained: [0.5, 1, 4] });
    expect(chain.checkpoint()).toMatchObject({ chain: 3, iteration: 0, samplingDraws: 0 });
    const [block] = chain.advance().blocks;
    expect([...readDensityRow(chain.columns, block).unconstrained]).toEqual([0.5, 1, 4]);
    expect(chain.advance()).toEqual({ status: 'finished', blocks: [] });
    expect(chain.checkpoint()).toMatchObject({
      seed: chainSettings.seed,
      numColumns: 11,
      settings: '',
      iteration: 1,
      warmupDraws: 0,
      samplingDraws: 1,
      rng: { draws: '', generated: '' },
    });
  });

  it.each<[DensityPoint, string]>([
    [{ unconstrained: [1, 2] }, 'The program has 3 free values, but the point has 2.'],
    [{ constrained: {} }, 'The point lacks sigma, x.'],
    [
      { constrained: { sigma: 1, x: [10, 0] } },
      'The log density is undefined there: too far (in model, line 1).',
    ],
  ])('fails with a reason for %j', (point, message) => {
    const chain = chainAt(point);
    expect(chain.advance()).toEqual({
      status: 'failed',
      blocks: [],
      failure: { chain: 3, reason: 'no-start', message },
    });
    expect(chain.progress()).toMatchObject({ iteration: 0 });
  });
});
