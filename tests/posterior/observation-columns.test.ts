import { describe, expect, it } from 'vitest';
import { dataVariables } from '../../src/formats/data-variables.ts';
import { observationColumns, observationText } from '../../src/posterior/observation-columns.ts';
import { noLabels } from '../../src/posterior/variable-labels.ts';

const observations = (count: number) =>
  Array.from({ length: count }, (_, i) => `log_lik[${i + 1}]`);
const columnsOf = (names: readonly string[], data: Record<string, unknown>, labels = noLabels) =>
  observationColumns(names, dataVariables(data), labels);

describe('the row of data of an observation', () => {
  it('has an entry for each variable with one row per observation', () => {
    const data = {
      N: 3,
      y: [28, 8, -3],
      x: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      other: [1, 2],
      text: 'a',
    };
    expect(columnsOf(observations(3), data)).toEqual({
      columns: [
        { name: 'y', values: [28, 8, -3] },
        { name: 'x[,1]', values: [1, 3, 5] },
        { name: 'x[,2]', values: [2, 4, 6] },
      ],
      omitted: 0,
    });
  });

  it('follows the names of the log likelihoods, whatever their order', () => {
    const { columns } = columnsOf(['log_lik[3]', 'log_lik[1]', 'log_lik[2]'], { y: [28, 8, -3] });
    expect(columns[0].values).toEqual([-3, 28, 8]);
  });

  it('of a matrix of observations has the entry at both indices, or at the first', () => {
    const names = ['log_lik[1,1]', 'log_lik[2,1]', 'log_lik[1,2]', 'log_lik[2,2]'];
    const data = {
      y: [
        [1, 2],
        [3, 4],
      ],
      group: [7, 8],
      deep: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
    };
    expect(columnsOf(names, data).columns).toEqual([
      { name: 'y', values: [1, 3, 2, 4] },
      { name: 'group', values: [7, 8, 7, 8] },
      { name: 'deep[,,1]', values: [1, 5, 3, 7] },
      { name: 'deep[,,2]', values: [2, 6, 4, 8] },
    ]);
  });

  it('begins with the labels of its dimension', () => {
    const labels = { coords: { school: ['A', 'B', 'C'] }, dims: { log_lik: ['school'] } };
    expect(columnsOf(observations(3), { y: [1, 2, 3] }, labels).columns[0]).toEqual({
      name: 'school',
      values: ['A', 'B', 'C'],
    });
  });

  it('has the labels of each dimension that has enough of them', () => {
    const names = ['log_lik[1,1]', 'log_lik[2,1]', 'log_lik[1,2]', 'log_lik[2,2]'];
    const labelled = (coords: Record<string, string[]>, dims = ['school', 'year']) =>
      columnsOf(names, {}, { coords, dims: { log_lik: dims } }).columns;
    const school = ['A', 'B'];
    expect(labelled({ school, year: ['early', 'late', 'never'] })).toEqual([
      { name: 'school', values: ['A', 'B', 'A', 'B'] },
      { name: 'year', values: ['early', 'early', 'late', 'late'] },
    ]);
    expect(labelled({ school, year: ['early'] }).map(({ name }) => name)).toEqual(['school']);
    expect(labelled({ school, year: ['a', 'b'] }, ['', 'year']).map(({ name }) => name)).toEqual([
      'year',
    ]);
    expect(labelled({ school }, ['school']).map(({ name }) => name)).toEqual(['school']);
  });

  it('has the rows of a variable that shares only the first dimension', () => {
    const names = ['log_lik[1,1]', 'log_lik[2,1]', 'log_lik[1,2]', 'log_lik[2,2]'];
    const wide = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    expect(columnsOf(names, { wide, tall: [1, 2, 3] }).columns).toEqual([
      { name: 'wide[,1]', values: [1, 4, 1, 4] },
      { name: 'wide[,2]', values: [2, 5, 2, 5] },
      { name: 'wide[,3]', values: [3, 6, 3, 6] },
    ]);
    const cube = [
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      [
        [7, 8],
        [9, 10],
        [11, 12],
      ],
    ];
    expect(columnsOf(observations(2), { cube }).columns).toEqual(
      ['1,1', '1,2', '2,1', '2,2', '3,1', '3,2'].map((index, k) => ({
        name: `cube[,${index}]`,
        values: [k + 1, k + 7],
      })),
    );
  });

  it('is bounded, and reports how many columns are omitted', () => {
    const wide = Array.from({ length: 3 }, () => Array.from({ length: 30 }, (_, k) => k));
    const { columns, omitted } = columnsOf(observations(3), { x: wide });
    expect([columns.length, omitted]).toEqual([24, 6]);
  });

  it('is empty where the names are not elements of one array', () => {
    expect(columnsOf(['log_lik', 'mu'], { y: [1, 2] }).columns).toEqual([]);
    expect(columnsOf([], { y: [1, 2] }).columns).toEqual([]);
    const nothing = { columns: [], omitted: 0 };
    const labels = { coords: { school: ['A', 'B'] }, dims: { log_lik: ['school'] } };
    for (const names of [
      ['log_lik[2]', 'log_lik[1,2]'],
      ['log_lik[2]', 'log_lik[b]'],
      ['log_lik[2]', 'mu'],
      ['log_lik[1,1]', 'log_lik[2,b]'],
    ])
      expect(columnsOf(names, { y: [1, 2] }, labels)).toEqual(nothing);
  });

  it('is one line of text, shortened if it is too long', () => {
    const columns = [
      { name: 'school', values: ['A'] },
      { name: 'y', values: [-2.345678] },
      { name: 'sigma', values: [15] },
    ];
    expect(observationText(columns, 0)).toBe('school A · y −2.3457 · sigma 15');
    expect(observationText(columns, 0, 1)).toBe('school A · …');
    const many = 'abcdefg'.split('').map((name, i) => ({ name, values: [0, i] }));
    expect(observationText(many.slice(1), 1)).toBe('b 1 · c 2 · d 3 · e 4 · f 5 · g 6');
    expect(observationText(many, 1)).toBe('a 0 · b 1 · c 2 · d 3 · e 4 · f 5 · …');
  });
});
