import { describe, expect, it } from 'vitest';
import {
  groupVariables,
  isInternal,
  matcher,
} from '../../../src/dashboard/features/experiment/run/variable-groups.ts';
import { createRow } from '../../support/summary-rows.ts';

const rows = [
  createRow({ variable: 'mu', rhat: 1.001 }),
  createRow({ variable: 'theta[1]', rhat: 1.02 }),
  createRow({ variable: 'theta[2]', rhat: null }),
  createRow({ variable: 'theta_raw[1,1]', rhat: 1.1 }),
  createRow({ variable: 'lp__', rhat: null }),
];
const shapeOf = (groups: ReturnType<typeof groupVariables>) =>
  groups.map((group) => [group.name, group.rows.map((row) => row.variable), group.worstRhat]);

describe('the variable tree', () => {
  it('folds the parts of a variable in the order of the model', () => {
    expect(shapeOf(groupVariables(rows, 'model', ''))).toEqual([
      ['mu', ['mu'], 1.001],
      ['theta', ['theta[1]', 'theta[2]'], 1.02],
      ['theta_raw', ['theta_raw[1,1]'], 1.1],
      ['lp__', ['lp__'], null],
    ]);
  });

  it('puts the worst R-hat first, undefined ones last, groups and parts alike', () => {
    const swapped = [rows[2], rows[1], rows[4], rows[0], rows[3]];
    expect(shapeOf(groupVariables(swapped, 'worst', ''))).toEqual([
      ['theta_raw', ['theta_raw[1,1]'], 1.1],
      ['theta', ['theta[1]', 'theta[2]'], 1.02],
      ['mu', ['mu'], 1.001],
      ['lp__', ['lp__'], null],
    ]);
  });

  it.each([
    ['THETA raw', ['theta_raw[1,1]']],
    ['theta[1', ['theta[1]']],
    ['/^theta\\[/', ['theta[1]', 'theta[2]']],
    ['/^(mu|lp__)$/', ['mu', 'lp__']],
    ['  ', rows.map((row) => row.variable)],
    ['nothing like it', []],
  ])('finds %j', (search, found) => {
    expect(rows.map((row) => row.variable).filter(matcher(search))).toEqual(found);
  });

  it('takes an expression that is still being typed as words', () => {
    expect(matcher('/theta[/')('theta[1]')).toBe(false);
    expect(matcher('/theta[/')('x/theta[/y')).toBe(true);
    expect(matcher('/')('a/b')).toBe(true);
  });

  it('hides what runners report of themselves', () => {
    expect(['mu', 'lp__', 'm/stat/mean', 'extras/lp', 'x[1]'].filter(isInternal)).toEqual([
      'lp__',
      'm/stat/mean',
      'extras/lp',
    ]);
  });
});
