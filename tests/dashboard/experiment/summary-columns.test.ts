import { describe, expect, it } from 'vitest';
import {
  checksOf,
  columnsOf,
  sortRows,
  summaryColumns,
  toneOf,
} from '../../../src/dashboard/features/experiment/summary/summary-columns.ts';
import { createRow } from '../../support/summary-rows.ts';

describe('cells of the summary', () => {
  it.each([
    ['rhat', 1.01, 'ok'],
    ['rhat', 1.0101, 'warn'],
    ['rhat', 1.05, 'warn'],
    ['rhat', 1.0501, 'bad'],
    ['ess_bulk', 400, 'ok'],
    ['ess_bulk', 399, 'warn'],
    ['ess_tail', 199, 'bad'],
    ['ess_tail', null, 'ok'],
    ['mean', 1e9, 'ok'],
  ] as const)('%s of %s is %s with four chains', (key, value, tone) => {
    expect(toneOf(key, value, 4)).toBe(tone);
  });

  it.each([
    [{}, 'ok', 'ok'],
    [{ rhat: 1.03 }, 'warn', 'R-hat fails'],
    [{ ess_tail: 10 }, 'bad', 'ESS tail fails'],
    [{ rhat: 1.2, ess_bulk: 300, ess_tail: 10 }, 'bad', '3 fail'],
    [{ rhat: null, ess_bulk: null, ess_tail: null, constant: true }, 'none', 'constant'],
    [{ rhat: null, non_finite: 3 }, 'bad', '3 not finite'],
    [{ rhat: null, ess_bulk: null, ess_tail: null }, 'none', '–'],
  ] as const)('checks %j as %s: %s', (change, tone, label) => {
    expect(checksOf(createRow(change), 4)).toEqual({ tone, label });
  });

  it('leave out R-hat and ESS where no variable has them', () => {
    const none = { rhat: null, ess_bulk: null, ess_tail: null };
    const titles = (rows: Parameters<typeof columnsOf>[1]) =>
      columnsOf(summaryColumns, rows).map(({ title }) => title);
    expect(titles([createRow(none)])).toEqual(['Mean', 'MCSE', 'SD', 'Median', 'MAD', 'q5', 'q95']);
    expect(titles([createRow(none), createRow({})])).toContain('ESS bulk');
  });

  it('have explanations', () => {
    for (const column of summaryColumns) expect(column.meaning).toMatch(/\.$/);
  });
});

describe('sorting', () => {
  const rows = [
    createRow({ variable: 'b', mean: 2, rhat: 1.001 }),
    createRow({ variable: 'n', mean: null, rhat: null }),
    createRow({ variable: 'a', mean: -1, rhat: 1.2 }),
    createRow({ variable: 'c', mean: 2, rhat: 1.01 }),
  ];
  const names = (sort: Parameters<typeof sortRows>[1]) =>
    sortRows(rows, sort)
      .map((row) => row.variable)
      .join('');

  it.each([
    ['model', 'bnac'],
    ['worst', 'acbn'],
    ['mean', 'abcn'],
    ['-mean', 'bcan'],
    ['-rhat', 'acbn'],
  ] as const)('by %s gives %s, undefined ones last', (sort, order) => {
    expect(names(sort)).toBe(order);
  });

  it('leaves the rows themselves alone', () => {
    sortRows(rows, 'mean');
    expect(rows.map((row) => row.variable).join('')).toBe('bnac');
  });
});
