import { describe, expect, it } from 'vitest';
import { createDrawBuffer, type DrawBuffer } from '../../src/engine/draw-buffer.ts';
import { blockColumn, type Phase } from '../../src/engine/events.ts';

const nothing = { warmup: 0, sampling: 0 };

function keep(buffer: DrawBuffer, phase: Phase, values: readonly number[]): void {
  for (const value of values) {
    buffer.row().set([value, -value]);
    buffer.keep(phase);
  }
}

describe('a draw buffer', () => {
  it('returns one block per phase, column by column, and keeps counting iterations', () => {
    const buffer = createDrawBuffer(4, 2, { warmup: 7, sampling: 0 });
    keep(buffer, 'warmup', [1, 2, 3]);
    keep(buffer, 'sampling', [4, 5]);
    expect(buffer.take()).toEqual([
      {
        chain: 4,
        phase: 'warmup',
        firstIteration: 8,
        count: 3,
        values: Float64Array.of(1, 2, 3, -1, -2, -3),
      },
      {
        chain: 4,
        phase: 'sampling',
        firstIteration: 1,
        count: 2,
        values: Float64Array.of(4, 5, -4, -5),
      },
    ]);
    expect(buffer.take()).toEqual([]);
    keep(buffer, 'sampling', [6]);
    const [block, ...others] = buffer.take();
    expect(others).toEqual([]);
    expect(block).toMatchObject({ firstIteration: 3, count: 1 });
    expect([...blockColumn(block, 1)]).toEqual([-6]);
    keep(buffer, 'warmup', [7]);
    expect(buffer.take()).toMatchObject([{ phase: 'warmup', firstIteration: 11 }]);
  });

  it('grows with the number of rows', () => {
    const buffer = createDrawBuffer(1, 2, nothing);
    const values = Array.from({ length: 70 }, (_, i) => i + 0.5);
    keep(buffer, 'sampling', values);
    const [block] = buffer.take();
    expect([...blockColumn(block, 0)]).toEqual(values);
    expect([...blockColumn(block, 1)]).toEqual(values.map((value) => -value));
  });

  it('does not change the counts that it was created with', () => {
    const before = { warmup: 1, sampling: 2 };
    const buffer = createDrawBuffer(1, 2, before);
    keep(buffer, 'sampling', [1]);
    buffer.take();
    expect(before).toEqual({ warmup: 1, sampling: 2 });
  });
});
