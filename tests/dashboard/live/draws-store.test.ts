import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecodedDraws } from '../../../src/client/create-client.ts';
import { chainNumber, DrawsStore } from '../../../src/dashboard/features/live/draws-store.ts';

interface Batch {
  readonly chain: string;
  readonly variable: string;
  readonly first: number;
  readonly values: readonly number[];
}

function answerOf(batches: readonly Batch[]): DecodedDraws {
  let offset = 0;
  const columns = batches.map(({ chain, variable, first, values }) => {
    const place = { first_iteration: first, step: 1, count: values.length, offset };
    offset += values.length;
    return { chain, variable, phase: 'sampling' as const, ...place };
  });
  const values = Float64Array.from(batches.flatMap((batch) => batch.values));
  return { header: { columns, revision: '1' }, values };
}

/** The draw of an iteration, which encodes its position. */
const valueAt = (chain: number, iteration: number) => chain * 10_000 + iteration;

describe('the draws store', () => {
  it('holds the same columns whatever the order and overlap of the batches', () => {
    const size = 60;
    const cut = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: size }),
      fc.integer({ min: 1, max: size }),
    );
    fc.assert(
      fc.property(fc.array(cut, { maxLength: 30 }), fc.integer(), (cuts, seed) => {
        const batches = cuts.map(([chain, a, b]): Batch => {
          const [first, last] = [Math.min(a, b), Math.max(a, b)];
          const values = Array.from({ length: last - first + 1 }, (_, i) =>
            valueAt(chain, first + i),
          );
          return { chain: `chain#${chain}`, variable: 'mu', first, values };
        });
        // every chain also arrives in full, somewhere among its pieces
        const wholes = [1, 2, 3].map((chain): Batch => {
          const values = Array.from({ length: size }, (_, i) => valueAt(chain, i + 1));
          return { chain: `chain#${chain}`, variable: 'mu', first: 1, values };
        });
        const order = [...batches, ...wholes]
          .map((batch, i) => ({ batch, key: Math.sin(seed + 7919 * i) }))
          .sort((a, b) => a.key - b.key);
        const store = new DrawsStore();
        for (const { batch } of order) store.append(answerOf([batch]));
        expect(store.chains()).toEqual(['chain#1', 'chain#2', 'chain#3']);
        for (const [index, chain] of store.chains().entries()) {
          expect([...store.read('mu', chain, 'sampling')]).toEqual(wholes[index].values);
        }
      }),
      { seed: 20261121, numRuns: 200 },
    );
  });

  it('notifies readers only when something is new', () => {
    const store = new DrawsStore();
    let calls = 0;
    const stop = store.subscribe(() => calls++);
    const batch = { chain: 'chain#1', variable: 'mu', first: 1, values: [1, Number.NaN, 3] };
    expect(store.append(answerOf([batch]))).toBe(true);
    expect(store.append(answerOf([batch]))).toBe(false);
    expect(store.append(answerOf([{ ...batch, first: 3, values: [3] }]))).toBe(false);
    expect(calls).toBe(1);
    expect(store.append(answerOf([{ ...batch, first: 2, values: [2] }]))).toBe(true);
    expect([...store.read('mu', 'chain#1', 'sampling')]).toEqual([1, 2, 3]);
    stop();
    store.append(answerOf([{ ...batch, first: 4 }]));
    expect(calls).toBe(2);
  });

  it('reads a gap as NaN until it is filled', () => {
    const store = new DrawsStore();
    const batch = { chain: 'chain#1', variable: 'mu' };
    store.append(answerOf([{ ...batch, first: 3, values: [3] }]));
    expect([...store.read('mu', 'chain#1', 'sampling')]).toEqual([Number.NaN, Number.NaN, 3]);
    expect(store.append(answerOf([{ ...batch, first: 1, values: [1, 2] }]))).toBe(true);
    expect([...store.read('mu', 'chain#1', 'sampling')]).toEqual([1, 2, 3]);
  });

  it('keeps only full columns, separates phases, and sorts chains by number', () => {
    const store = new DrawsStore();
    const { header, values } = answerOf([
      { chain: 'chain#10', variable: 'mu', first: 1, values: [1] },
      { chain: 'chain#2', variable: 'mu', first: 1, values: [2] },
    ]);
    const thinned = { ...header.columns[0], chain: 'chain#3', step: 0 };
    const warmup = { ...header.columns[1], phase: 'warmup' as const };
    store.append({ header: { ...header, columns: [header.columns[0], thinned, warmup] }, values });
    expect(store.chains()).toEqual(['chain#2', 'chain#10']);
    expect([...store.read('mu', 'chain#2', 'warmup')]).toEqual([2]);
    expect(store.read('mu', 'chain#2', 'sampling')).toHaveLength(0);
    expect(chainNumber('walker')).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('is replaced in one step', () => {
    const store = new DrawsStore();
    store.append(answerOf([{ chain: 'chain#9', variable: 'old', first: 1, values: [1] }]));
    let calls = 0;
    store.subscribe(() => {
      calls++;
      expect(store.read('old', 'chain#9', 'sampling')).toHaveLength(0);
      expect([...store.read('mu', 'chain#2', 'sampling')]).toEqual([3]);
    });
    store.replace([
      { variable: 'mu', chain: 'chain#1', values: Float64Array.of(1, 2) },
      { variable: 'mu', chain: 'chain#2', values: Float64Array.of(3) },
    ]);
    expect(calls).toBe(1);
    expect(store.chains()).toEqual(['chain#1', 'chain#2']);
  });
});
