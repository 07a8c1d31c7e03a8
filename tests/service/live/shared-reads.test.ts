import { expect, it } from 'vitest';
import { SharedReads } from '../../../src/service/live/shared-reads.ts';

/** Answers 1, 2, … in the order it is asked. */
function source() {
  let asked = 0;
  return { ask: async () => ++asked, asked: () => asked };
}

it('all readers after an event share one read, and read again after the next event', async () => {
  const reads = new SharedReads();
  const { ask, asked } = source();
  const event = performance.now();
  const first = await Promise.all([1, 2, 3].map(() => reads.read('row', event, ask)));
  expect(first).toEqual([1, 1, 1]);
  expect(await reads.read('row', event, ask)).toBe(1);
  const next = performance.now() + 1;
  expect(await reads.read('row', next, ask)).toBe(2);
  expect(await reads.read('log', event, ask)).toBe(3);
  expect(asked()).toBe(3);
});

it('a failed read is not shared with later readers', async () => {
  const reads = new SharedReads();
  const event = performance.now();
  const failing = reads.read('row', event, () => Promise.reject(new Error('away')));
  await expect(failing).rejects.toThrow('away');
  expect(await reads.read('row', event, async () => 'there')).toBe('there');
});
