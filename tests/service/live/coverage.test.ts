import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Coverage } from '../../../src/service/live/coverage.ts';

describe('coverage', () => {
  it('yields each iteration once, whatever the order of batches', () => {
    const batch = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20 }));
    const property = fc.property(
      fc.array(batch, { maxLength: 30 }),
      fc.integer({ min: 1, max: 30 }),
      (batches, from) => {
        const coverage = new Coverage(from);
        const given = new Map<number, number>();
        const stored = new Set<number>();
        for (const [first, count] of batches) {
          for (let i = first; i < first + count; i++) stored.add(i);
          for (const [begin, end] of coverage.missing(first, first + count - 1)) {
            for (let i = begin; i <= end; i++) given.set(i, (given.get(i) ?? 0) + 1);
            coverage.add(begin, end);
          }
        }
        const wanted = [...stored].filter((i) => i >= from).sort((a, b) => a - b);
        expect([...given.keys()].sort((a, b) => a - b)).toEqual(wanted);
        expect([...given.values()].every((times) => times === 1)).toBe(true);
        let next = from;
        while (stored.has(next)) next++;
        expect(coverage.next).toBe(next);
      },
    );
    fc.assert(property, { seed: 3, numRuns: 300 });
  });
});
