import { describe, expect, it } from 'vitest';
import { asSimulationFailure, simulate } from '../../../src/engine/calibration/simulate.ts';
import { ChainEnd, ChainInterrupt } from '../../../src/engine/chain-end.ts';
import type { Model } from '../../../src/engine/model.ts';
import type { OutputVariable } from '../../../src/language/program.ts';
import { DomainError, ShapeError } from '../../../src/math/errors.ts';
import { funnelModel, generatedOnlyModel, normalModel } from '../../support/analytic-models.ts';
import { chainSettings } from '../../support/run-model.ts';

const replica: OutputVariable = {
  name: 'y_rep',
  dims: [2, 3],
  block: 'generated quantities',
  isInt: false,
};

/** A normal prior of x1, and the six values of its replica, column by column. */
function priorModel(write = (out: Float64Array) => out.set([10, 11, 12, 13, 14, 15])): Model {
  const prior = normalModel([3], [1]);
  return {
    ...prior,
    variables: [prior.variables[0], replica],
    columns: ['x1', ...Array.from({ length: 6 }, (_, i) => `y_rep(${i})`)],
    constrain(theta, _rng, out) {
      out[0] = theta[0];
      write(out.subarray(1));
    },
  };
}

function simulated(model: Model, extra: object = {}) {
  const log: string[] = [];
  const found = simulate({
    model,
    settings: { ...chainSettings, numWarmup: 30, numSamples: 20 },
    chain: 1,
    replications: [{ data: 'y', source: replica }],
    log: (line) => log.push(line),
    beat: () => {},
    ...extra,
  });
  return { ...found, log };
}

describe('a simulation', () => {
  it('is a draw from the prior with data replicated from it, in the form of JSON', () => {
    const { position, data, log } = simulated(priorModel());
    expect(position).toHaveLength(1);
    expect(Math.abs(position[0] - 3)).toBeLessThan(5);
    expect(data).toEqual({
      y: [
        [10, 12, 14],
        [11, 13, 15],
      ],
    });
    expect(log).toEqual([]);
    expect(simulated(priorModel()).position).toEqual(position);
    expect(simulated(priorModel(), { chain: 2 }).position).not.toEqual(position);
  });

  it('samples the prior for as many iterations as a chain of the run, with at least one draw', () => {
    const beats = (settings: object) => {
      let count = 0;
      simulated(priorModel(), {
        settings: { ...chainSettings, ...settings },
        beat: () => {
          count += 1;
        },
      });
      return count;
    };
    expect(beats({ numWarmup: 30, numSamples: 20 })).toBe(50);
    expect(beats({ numWarmup: 30, numSamples: 0 })).toBe(31);
  });

  it('ends when its chain is asked to stop', () => {
    const beat = () => {
      throw new ChainInterrupt('asked to stop');
    };
    expect(() => simulated(priorModel(), { beat })).toThrow(new ChainInterrupt('asked to stop'));
  });

  it('warns when the prior is sampled with divergences', () => {
    const { log } = simulated(
      { ...funnelModel(9), variables: [], columns: [], constrain() {} },
      { replications: [], settings: { ...chainSettings, numWarmup: 100, numSamples: 300 } },
    );
    expect(log).toEqual([
      expect.stringMatching(
        /^The prior was sampled with \d+ divergent transitions: the true values may miss part of it\.$/,
      ),
    ]);
  });

  it.each<[string, Model]>([
    [
      'y_rep(0) is Infinity',
      priorModel((out) => out.set([Number.POSITIVE_INFINITY, 2, 3, 4, 5, 6])),
    ],
    ['y_rep(2) is NaN', priorModel((out) => out.set([1, 2, Number.NaN, 4, 5, 6]))],
    [
      'the data could not be drawn: rate is 0',
      priorModel(() => {
        throw new DomainError('rate is 0');
      }),
    ],
    ['the prior has no parameters', generatedOnlyModel()],
    [
      'the prior cannot be sampled: index 4 is out of range',
      {
        ...priorModel(),
        logDensityGradient() {
          throw new Error('index 4 is out of range');
        },
      },
    ],
  ])('fails with a reason: %s', (reason, model) => {
    expect(() => simulated(model)).toThrow(
      expect.objectContaining({
        reason: 'no-simulation',
        message: `The simulation failed: ${reason}`,
      }),
    );
  });

  it('rethrows other errors of the program', () => {
    let calls = 0;
    // once while the prior is sampled
    const broken = priorModel(() => {
      if (++calls === 2) throw new Error('index 4 is out of range');
    });
    expect(() => simulated(broken)).toThrow(/^index 4 is out of range$/);
  });

  it('treats only data errors as a failed simulation', () => {
    for (const error of [new DomainError('y is -1'), new ShapeError('y is -1')])
      expect(asSimulationFailure(error)).toEqual(
        new ChainEnd(
          'no-simulation',
          'The simulation failed: the program rejects its data: y is -1',
        ),
      );
    const other = new Error('y is -1');
    expect(asSimulationFailure(other)).toBe(other);
  });
});
