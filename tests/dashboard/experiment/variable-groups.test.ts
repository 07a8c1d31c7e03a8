import { describe, expect, it } from 'vitest';
import {
  groupVariables,
  rowMatcher,
  sectionsOf,
} from '../../../src/dashboard/features/experiment/run/variable-groups.ts';
import { findChoices, matcher } from '../../../src/dashboard/features/status/find-variables.ts';
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
  it('groups the elements of a variable, in the order of the model', () => {
    expect(shapeOf(groupVariables(rows, 'model', ''))).toEqual([
      ['mu', ['mu'], 1.001],
      ['theta', ['theta[1]', 'theta[2]'], 1.02],
      ['theta_raw', ['theta_raw[1,1]'], 1.1],
      ['lp__', ['lp__'], null],
    ]);
  });

  it('sorts by worst R-hat, undefined ones last, among groups and within them', () => {
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

  it('treats an incomplete regular expression as plain text', () => {
    expect(matcher('/theta[/')('theta[1]')).toBe(false);
    expect(matcher('/theta[/')('x/theta[/y')).toBe(true);
    expect(matcher('/')('a/b')).toBe(true);
  });

  it('has sections by kind of variable, parameters first, in either order', () => {
    const mixed = [
      createRow({ variable: 'y_rep[1]', rhat: 1.3 }),
      createRow({ variable: 'beta[1]', block: 'parameters', rhat: 1.001 }),
      createRow({ variable: 'mean_y', block: 'generated quantities', rhat: 1.2 }),
      createRow({ variable: 'mu', block: 'transformed parameters', rhat: 1.1 }),
      createRow({ variable: 'log_lik[1]', block: 'generated quantities', rhat: 1.4 }),
      createRow({ variable: 'alpha', block: 'parameters', rhat: 1.002 }),
    ];
    const shape = (order: 'worst' | 'model') =>
      sectionsOf(groupVariables(mixed, order, '')).map(({ kind, groups }) => [
        kind,
        groups.map(({ name }) => name),
      ]);
    const rest = [
      ['transformed parameters', ['mu']],
      ['generated quantities', ['mean_y']],
      ['log likelihood', ['log_lik']],
      ['replications', ['y_rep']],
    ];
    expect(shape('worst')).toEqual([['parameters', ['alpha', 'beta']], ...rest]);
    expect(shape('model')).toEqual([['parameters', ['beta', 'alpha']], ...rest]);
  });

  it('finds a variable by its name and by its label', () => {
    const row = createRow({ variable: 'theta[3]', label: 'theta[School C]' });
    expect([rowMatcher('theta[3')(row), rowMatcher('school c')(row)]).toEqual([true, true]);
    expect(rowMatcher('school d')(row)).toBe(false);
  });
});

describe('the entries of a select', () => {
  const options = [
    { group: 'Parameters', items: [{ value: 'theta[3]', label: 'theta[School C]' }] },
    { group: 'Replicated data', items: [{ value: 'y_rep[3]', label: 'y_rep[3]' }] },
  ];

  it('are found by name and by label; groups without a match are left out', () => {
    expect(findChoices({ options, search: 'school', limit: 9 })).toEqual([options[0]]);
    expect(findChoices({ options, search: '[3]', limit: 9 })).toEqual(options);
    expect(findChoices({ options, search: '', limit: 1 })).toEqual([options[0]]);
    expect(findChoices({ options, search: 'none', limit: 9 })).toEqual([]);
  });
});
