import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choiceWith,
  readChoice,
  writeChoice,
} from '../../../src/dashboard/features/experiment/plots/chosen-variables.ts';
import { pairNames } from '../../../src/dashboard/features/experiment/plots/pairs-tab.tsx';
import { isPooled } from '../../../src/dashboard/features/experiment/plots/posterior-tab.tsx';
import { zoomWithin } from '../../../src/dashboard/features/experiment/plots/zoom-range.ts';
import { createRow } from '../../support/summary-rows.ts';

const names = ['mu', 'tau', ...Array.from({ length: 8 }, (_, i) => `theta[${i + 1}]`), 'lp__'];
const rows = names.map((variable) => createRow({ variable }));

describe('the choice of variables', () => {
  it('is read from the address as it was written', () => {
    fc.assert(
      fc.property(fc.subarray(names), (chosen) => {
        expect([...readChoice(writeChoice(new Set(chosen), rows), rows)]).toEqual(
          names.filter((name) => chosen.includes(name)),
        );
      }),
      { seed: 1 },
    );
  });

  it('is written with the name of a whole group, and not at all if it is the default', () => {
    const thetas = names.filter((name) => name.startsWith('theta'));
    expect(writeChoice(new Set(thetas), rows)).toEqual(['theta']);
    expect(writeChoice(readChoice([], rows), rows)).toEqual([]);
    expect(readChoice(['gone', 'mu'], rows)).toEqual(new Set(['mu']));
  });

  it('defaults to the parameters, or to generated quantities if there is nothing else', () => {
    const generated = ['y_rep[1]', 'log_lik[1]', 'sum_y'].map((variable) =>
      createRow({ variable, block: 'generated quantities' }),
    );
    const parameters = [
      createRow({ variable: 'beta', block: 'parameters' }),
      createRow({ variable: 'mu', block: 'transformed parameters' }),
    ];
    expect([...readChoice([], [...generated, ...parameters])]).toEqual(['beta', 'mu']);
    expect([...readChoice([], generated)]).toEqual(['sum_y']);
    expect([...readChoice([], generated.slice(0, 2))]).toEqual(['y_rep[1]', 'log_lik[1]']);
  });

  it('is written in a snapshot if it differs from what its owner saw', () => {
    expect(writeChoice(new Set(['tau']), rows, ['tau'])).toEqual([]);
    expect(writeChoice(readChoice([], rows), rows, ['tau'])).toEqual(['mu', 'tau', 'theta']);
  });

  it('adds the variable of a failed check', () => {
    expect(choiceWith('mu', rows, [])).toEqual([]);
    expect(choiceWith('lp__', rows, [])).toEqual(['mu', 'tau', 'theta', 'lp__']);
    expect(choiceWith('mu', rows, ['tau'])).toEqual(['mu', 'tau']);
  });
});

describe('pairs', () => {
  it('take the requested variables, at most eight, or the first that vary', () => {
    expect(pairNames(['tau', 'tau', 'gone', 'mu'], rows)).toEqual(['tau', 'mu']);
    expect(pairNames(names, rows)).toHaveLength(8);
    expect(pairNames([], rows, ['theta'])).toEqual(names.slice(2, 6));
    expect(pairNames([], [createRow({ variable: 'c', constant: true }), ...rows])).toEqual(
      names.slice(0, 4),
    );
  });
});

describe('the zoom of all traces', () => {
  it.each([
    [
      [10, 20],
      [10, 20],
    ],
    [
      [20, 10],
      [10, 20],
    ],
    [
      [-5, 50],
      [1, 50],
    ],
    [[-5, 500], null],
    [[30, 31], null],
  ] as const)('%j is %j', (asked, shown) => {
    expect(zoomWithin(asked, 100)).toEqual(shown);
  });
});

it('a forest is over all chains, curves are by chain', () => {
  expect(isPooled('forest', '')).toBe(true);
  expect(isPooled('density', '')).toBe(false);
  expect(isPooled('density', 'together')).toBe(true);
  expect(isPooled('forest', 'apart')).toBe(false);
});
