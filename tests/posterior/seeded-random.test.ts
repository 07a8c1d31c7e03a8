/** Random numbers that are the same on every machine and in every version. */
import { expect, it } from 'vitest';
import { createRandom } from '../../src/posterior/seeded-random.ts';

it.each([
  [1, [1580013426, 350525680, 3524174333, 3011703609]],
  [-5, [1426393522, 69271245]],
  [undefined, [3825446904, 3579339115, 2943474008]],
])('random numbers from the seed %s are those of splitmix32', (seed, expected) => {
  const random = createRandom(seed);
  expect(expected.map(() => random() * 2 ** 32)).toEqual(expected);
});
