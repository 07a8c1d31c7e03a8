/** Matrices of slots in order, of lists of slots, with a diagonal apart, and unassigned. */
import { describe, expect, it } from 'vitest';
import { ActiveMatrix } from '../../../src/math/autodiff/containers.ts';

describe('an active matrix', () => {
  it('in order has no list of slots', () => {
    const m = new ActiveMatrix(2, 3, 4);
    expect([m.slots, m.isInOrder, m.diagonalSlot(1)]).toEqual([null, true, 7]);
  });

  it('of a list is not in order', () => {
    const slots = Int32Array.of(4, 5, 9, 8);
    const m = new ActiveMatrix(2, 2, 0, slots);
    expect(m.slots).toBe(slots);
    expect(m.isInOrder).toBe(false);
  });

  it.each([
    [3, 3, [40, 5, 6, 7, 41, 9, 10, 11, 42]],
    [2, 3, [40, 5, 6, 41, 8, 9]],
    [3, 2, [40, 5, 6, 7, 41, 9]],
    [1, 1, [40]],
    [0, 0, []],
  ])('of %i × %i with a diagonal apart lists its slots when asked', (rows, cols, expected) => {
    const m = new ActiveMatrix(rows, cols, 4, null, null, 40);
    expect([m.isInOrder, m.diagonalSlot(0)]).toEqual([true, 40]);
    expect(m.slots).toEqual(Int32Array.from(expected));
    expect(m.slots).toBe(m.slots);
    expect(m.isInOrder).toBe(true);
  });

  it('that is unassigned lists the slot of NaN, and keeps what is written there', () => {
    const m = new ActiveMatrix(2, 2, 0);
    expect(m.isInOrder).toBe(false);
    (m.slots as Int32Array)[3] = 7;
    expect(m.slots).toEqual(Int32Array.of(0, 0, 0, 7));
    expect(m.isInOrder).toBe(false);
  });
});
