/** Scales of variables: what the address stores, and which of them a variable can have. */
import { describe, expect, it } from 'vitest';
import {
  nameOnScale,
  possibleScales,
  readScale,
  writeScale,
} from '../../../src/dashboard/features/experiment/plots/variable-scale.tsx';
import { createRow } from '../../support/summary-rows.ts';

describe('scales in the address', () => {
  it('are one entry per variable, whatever its name', () => {
    const scales = writeScale(writeScale([], 'theta[1,2]', 'log'), 'a b', 'unconstrained');
    expect(scales).toEqual(['log theta[1,2]', 'unconstrained a b']);
    expect(readScale(scales, 'theta[1,2]')).toBe('log');
    expect(readScale(scales, 'a b')).toBe('unconstrained');
    expect(readScale(scales, 'b')).toBe('natural');
    expect(writeScale(scales, 'a b', 'logit')).toEqual(['log theta[1,2]', 'logit a b']);
    expect(writeScale(scales, 'a b', 'natural')).toEqual(['log theta[1,2]']);
  });

  it('are ignored if unknown', () => {
    for (const entry of ['tau', 'cube tau', ' tau', '', 'log', 'constructor tau'])
      expect(readScale([entry], 'tau')).toBe('natural');
  });
});

describe('the scales of a variable', () => {
  const scalesOf = (row: Parameters<typeof createRow>[0]) => possibleScales(createRow(row));

  it('follow from its declared bounds', () => {
    expect(scalesOf({ lower: 0, q5: 0.1, q95: 4 })).toEqual(['natural', 'log', 'unconstrained']);
    expect(scalesOf({ lower: -1, upper: 1, q5: -0.5, q95: 0.5 })).toEqual([
      'natural',
      'unconstrained',
    ]);
    expect(scalesOf({ lower: 0, upper: 1, q5: 0.1, q95: 0.9 })).toEqual([
      'natural',
      'log',
      'logit',
      'unconstrained',
    ]);
  });

  it('follow from its draws where nothing is declared', () => {
    expect(scalesOf({ q5: -1, q95: 2 })).toEqual(['natural']);
    expect(scalesOf({ q5: 3, q95: 8 })).toEqual(['natural', 'log']);
    expect(scalesOf({ q5: 0.2, q95: 0.8 })).toEqual(['natural', 'log', 'logit']);
    expect(scalesOf({ q5: null, q95: null })).toEqual(['natural']);
  });

  it('are named by what they show', () => {
    const row = createRow({ variable: 'tau', lower: 2 });
    expect(nameOnScale(row, 'natural')).toBe('tau');
    expect(nameOnScale(row, 'log')).toBe('log(tau)');
    expect(nameOnScale(row, 'unconstrained')).toBe('log(tau − 2)');
  });
});
