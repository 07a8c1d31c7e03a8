/** The one chain without which the others agree. */
import { expect, it } from 'vitest';
import { chainsApart } from '../../src/posterior/stray-chain.ts';
import { seededRng } from '../support/seeded-rng.ts';

const random = seededRng(3);
const around = (...means: number[]) =>
  means.map((mean) => Float64Array.from({ length: 400 }, () => mean + random.uniform()));

it('a chain is flagged if it alone is elsewhere', () => {
  expect(chainsApart([around(0, 0, 9, 0)], 4)).toEqual([false, false, true, false]);
});

it('a chain is flagged if it alone is constant', () => {
  const [first, second, third] = around(0, 0, 0);
  expect(chainsApart([[first, second, third, new Float64Array(400).fill(0.5)]], 4)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

it('no chain is flagged if two are elsewhere, or if another variable disagrees without it', () => {
  expect(chainsApart([around(0, 9, 9, 0)], 4)).not.toContain(true);
  expect(chainsApart([around(0, 0, 9, 0), around(9, 0, 0, 0)], 4)).not.toContain(true);
});

it('no chain is flagged of two chains or without a variable', () => {
  expect(chainsApart([around(0, 9)], 2)).toEqual([false, false]);
  expect(chainsApart([around(0, 9, 0)], 3)).toEqual([false, true, false]);
  expect(chainsApart([], 3)).toEqual([false, false, false]);
});
