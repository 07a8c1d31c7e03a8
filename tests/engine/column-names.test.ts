import { describe, expect, it } from 'vitest';
import { columnBlocks } from '../../src/engine/column-blocks.ts';
import { columnNames } from '../../src/engine/column-names.ts';
import type { OutputVariable } from '../../src/language/program.ts';

const variable = (
  name: string,
  dims: readonly number[],
  block: OutputVariable['block'] = 'parameters',
): OutputVariable => ({ name, dims, block, isInt: false });

describe('output columns', () => {
  const variables = [
    variable('mu', []),
    variable('x', [2, 3]),
    variable('none', [0], 'transformed parameters'),
    variable('y', [2], 'generated quantities'),
  ];

  it('are indexed from 1, first index fastest', () => {
    expect(columnNames(variables)).toEqual(
      'mu x[1,1] x[2,1] x[1,2] x[2,2] x[1,3] x[2,3] y[1] y[2]'.split(' '),
    );
  });

  it('belong to the block that declares them', () => {
    const generated = 'generated quantities';
    expect(columnBlocks(variables)).toEqual([
      ...Array.from({ length: 7 }, () => 'parameters'),
      generated,
      generated,
    ]);
  });

  it('are limited to 250 000, and the error names the first of the largest variables', () => {
    const limit = 250_000;
    expect(columnNames([variable('z', [500, 500])])).toHaveLength(limit);
    const most = [variable('a', [2]), variable('b', [400, 500]), variable('c', [200_000])];
    expect(() => columnNames(most)).toThrow(
      'a draw of this program has 400002 values, of which `b` has 200000: at most 250000 can be stored',
    );
    expect(() => columnNames([variable('a', [1]), variable('z', [limit])])).toThrow('`z`');
  });
});
