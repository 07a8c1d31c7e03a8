/** Memory that is reused. */
import { expect, it } from 'vitest';
import { createScratch } from '../../src/posterior/scratch.ts';

it('scratch memory is reused, at the requested length', () => {
  const scratch = createScratch();
  const first = scratch(4);
  first[1] = 7;
  expect(scratch(4)).toBe(first);
  expect([...scratch(2)]).toEqual([0, 7]);
  expect(scratch(2).buffer).toBe(first.buffer);
  expect([...scratch(5)]).toEqual([0, 0, 0, 0, 0]);
  expect(scratch(4).buffer).toBe(scratch(5).buffer);
});

it('scratch memory is new each time if it is long', () => {
  const scratch = createScratch();
  const longest = 2 ** 16;
  expect(scratch(longest)).toBe(scratch(longest));
  expect(scratch(longest + 1)).toHaveLength(longest + 1);
  expect(scratch(longest + 1)).not.toBe(scratch(longest + 1));
  expect(scratch(3).buffer.byteLength).toBe(8 * longest);
});
