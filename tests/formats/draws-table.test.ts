/** What readers of draws collect: chains and variables in any order, rows by iteration. */
import { describe, expect, it } from 'vitest';
import { createDrawsTable, DrawsTableError } from '../../src/formats/draws-table.ts';

type Row = readonly [chain: string, variable: string, value: number, iteration?: number];

function tableOf(rows: readonly Row[]) {
  const table = createDrawsTable();
  for (const [chain, variable, value, iteration = NaN] of rows)
    table.add(chain, variable, value, iteration);
  const { chains, variables, iterations } = table.finish();
  return {
    chains,
    iterations: iterations.map((one) => [...one]),
    draws: Object.fromEntries(
      variables.map((one) => [one.variable, one.chains.map((column) => [...column])]),
    ),
  };
}

describe('rows', () => {
  it('that alternate between chains and variables go to the right columns', () => {
    expect(
      tableOf([
        ['b', 'x', 1],
        ['b', 'y', 2],
        ['a', 'y', 3],
        ['a', 'x', 4],
        ['b', 'x', 5],
      ]),
    ).toEqual({
      chains: ['b', 'a'],
      iterations: [[], []],
      draws: { x: [[1, 5], [4]], y: [[2], [3]] },
    });
  });

  it('with iterations are sorted by them, and the later of two equal ones is used', () => {
    const { iterations, draws } = tableOf([
      ['a', 'x', 10, 1],
      ['a', 'x', 20, 2],
      ['a', 'x', 21, 2],
      ['a', 'y', 100, 10],
      ['a', 'y', 90, 9],
    ]);
    expect(draws).toEqual({ x: [[10, 21]], y: [[90, 100]] });
    expect(iterations).toEqual([[1, 2]]);
  });

  it('keep their given order if some have no iteration', () => {
    expect(
      tableOf([
        ['a', 'x', 1, 2],
        ['a', 'x', 2],
        ['a', 'x', 3, 1],
        ['a', 'y', 4, 7],
        ['a', 'z', 5],
      ]),
    ).toMatchObject({ draws: { x: [[1, 2, 3]], y: [[4]], z: [[5]] }, iterations: [[7]] });
  });
});

describe('limits', () => {
  const fill = (chains: number, variables: number) => {
    const table = createDrawsTable({ chains: 2, columns: 6 });
    for (let c = 0; c < chains; c++)
      for (let v = 0; v < variables; v++) table.add(`c${c}`, `v${v}`, 1, NaN);
    return table.finish();
  };
  it('allow as many as they name', () => expect(fill(2, 3).variables).toHaveLength(3));
  it.each([
    [3, 1, 'There are more than 2 chains.'],
    [2, 4, 'There are more than 6 columns.'],
  ])('refuse %i chains of %i variables', (chains, variables, message) => {
    expect(() => fill(chains, variables)).toThrow(DrawsTableError);
    expect(() => fill(chains, variables)).toThrow(
      expect.objectContaining({ name: 'DrawsTableError', message }),
    );
  });
});
