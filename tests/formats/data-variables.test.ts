/** Numeric variables of data, flat. */
import { expect, it } from 'vitest';
import { dataVariables } from '../../src/formats/data-variables.ts';

it('flattens scalars and rectangular arrays of numbers, the last index fastest, and leaves out the rest', () => {
  const found = dataVariables({
    N: 2,
    y: [1.5, 2],
    m: [
      [1, 2, 3],
      [4, 5, 6],
    ],
    ragged: [[1], [2, 3]],
    text: ['a', 'b'],
    mixed: [1, null],
    uneven: [null, [1]],
    empty: [],
    nested: { y: [1] },
  });
  expect(found.map(({ name, dims, values }) => [name, dims, Array.from(values)])).toEqual([
    ['N', [], [2]],
    ['y', [2], [1.5, 2]],
    ['m', [2, 3], [1, 2, 3, 4, 5, 6]],
  ]);
});
