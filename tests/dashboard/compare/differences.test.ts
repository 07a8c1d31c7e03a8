import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  differenceOf,
  mcseLabel,
  meanDifference,
  sdLabel,
} from '../../../src/dashboard/features/compare/differences.ts';
import { createRow } from '../../support/summary-rows.ts';

const base = createRow({ mean: 4, mcse_mean: 0.03, sd: 2 });
const own = (mean: number) => createRow({ mean, mcse_mean: 0.04, sd: 2 });

describe('two means', () => {
  // √(0.03² + 0.04²) = 0.05
  it.each([
    [4, 0, 'the same'],
    [4.1, 2, 'within error'],
    [3.85, 3, 'slightly beyond Monte Carlo error'],
    [4.5, 10, 'differs'],
  ])('of 4 and %d are %d MCSE apart: %s', (mean, inMcse, label) => {
    const difference = meanDifference(own(mean), base);
    expect(difference.inMcse).toBeCloseTo(inMcse, 9);
    expect(difference.inSd).toBeCloseTo(Math.abs(mean - 4) / 2, 9);
    expect(difference.label).toBe(label);
  });

  it('of constants are the same or differ, with no error as a unit', () => {
    const constant = (mean: number) =>
      createRow({ mean, mcse_mean: null, sd: 0, constant: true, rhat: null });
    expect(meanDifference(constant(1), constant(1))).toMatchObject({ tone: 'same' });
    expect(meanDifference(constant(2), constant(1))).toMatchObject({
      tone: 'apart',
      inMcse: null,
      label: 'differs',
    });
  });

  it('that are undefined are not called the same', () => {
    const undefinedRow = createRow({ mean: null, mcse_mean: null, sd: null, non_finite: 3 });
    expect(meanDifference(undefinedRow, base)).toMatchObject({ tone: 'none', inMcse: null });
    expect(meanDifference(createRow({ mcse_mean: null }), base).label).toBe('not comparable');
  });

  it('are equally far apart in either direction', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const error = fc.double({ min: 1e-6, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(number, number, error, error, (a, b, ea, eb) => {
        const there = differenceOf({ value: a, mcse: ea }, { value: b, mcse: eb }, 1);
        const back = differenceOf({ value: b, mcse: eb }, { value: a, mcse: ea }, 1);
        expect(there.inMcse).toBe(back.inMcse);
        expect(there.label).toBe(back.label);
        expect(there.value).toBe(back.value === 0 ? 0 : -(back.value ?? Number.NaN));
      }),
      { seed: 1 },
    );
  });
});

it('gives distances in few digits', () => {
  expect(mcseLabel({ inMcse: 1.24 })).toBe('1.2 MCSE');
  expect(mcseLabel({ inMcse: 41.8 })).toBe('42 MCSE');
  expect(mcseLabel({ inMcse: null })).toBe('');
  expect(sdLabel({ inSd: 0.1234 })).toBe('0.12 SD');
});
