import { describe, expect, it } from 'vitest';
import { createLogDensity, shortNumber, startOf } from '../../../src/engine/fit/fit.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { analyticModel, normalModel } from '../../support/analytic-models.ts';
import { fitRequest } from '../../support/fit-steps.ts';

/** What a fit sees of a density with this value and these slopes. */
function seen(value: number, slopes: readonly number[]): number {
  const model = analyticModel({
    names: ['x', 'y'],
    density(_theta, gradient) {
      gradient.set(slopes);
      return value;
    },
  });
  return createLogDensity(model, true)(new Float64Array(2), new Float64Array(2));
}

describe('the log density of a fit', () => {
  it('is that of the model where value and gradient are finite, and −∞ elsewhere', () => {
    expect(seen(-3, [1, 2])).toBe(-3);
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(seen(odd, [1, 2])).toBe(Number.NEGATIVE_INFINITY);
      expect(seen(-3, [1, odd])).toBe(Number.NEGATIVE_INFINITY);
      expect(seen(-3, [odd, 1])).toBe(Number.NEGATIVE_INFINITY);
    }
  });

  it('is −∞ where the program rejects, while other errors are rethrown', () => {
    const throwing = (error: Error) =>
      createLogDensity(
        analyticModel({
          names: ['x'],
          density() {
            throw error;
          },
        }),
        true,
      );
    const at = [new Float64Array(1), new Float64Array(1)] as const;
    expect(throwing(new DomainError('no'))(...at)).toBe(Number.NEGATIVE_INFINITY);
    expect(() => throwing(new Error('a bug'))(...at)).toThrow('a bug');
  });
});

describe('the start of a fit', () => {
  it('is taken from the inits', () => {
    const request = fitRequest(normalModel([0], [1]), { settings: { inits: { x1: 7 } } });
    expect([...startOf(request)]).toEqual([7]);
  });

  it('ends the chain when none can be found', () => {
    const nowhere = analyticModel({ names: ['x'], density: () => Number.NEGATIVE_INFINITY });
    expect(() => startOf(fitRequest(nowhere))).toThrow(
      expect.objectContaining({
        reason: 'no-start',
        message: expect.stringMatching(/^No starting point found in 100 tries/),
      }),
    );
  });
});

it('numbers in the log have five significant digits', () => {
  expect([-1234567.8, 0.000123456, 2, Number.NEGATIVE_INFINITY].map(shortNumber)).toEqual([
    '-1234600',
    '0.00012346',
    '2',
    '-Infinity',
  ]);
});
