import { expect, it } from 'vitest';
import { memoryColumns } from '../../src/formats/growing-column.ts';

it('a column in memory holds every number that was pushed, and counts them', () => {
  const column = memoryColumns.grow();
  expect([column.length, column.finish()]).toEqual([0, new Float64Array(0)]);
  const values = Float64Array.from({ length: 300 }, (_, i) => i / 8);
  for (const [i, value] of values.entries()) {
    column.push(value);
    expect(column.length).toBe(i + 1);
  }
  expect(column.finish()).toEqual(values);
});

it('columns in memory that are kept, loaded or lazy are their numbers', () => {
  const values = Float64Array.of(1, 2);
  expect(memoryColumns.keep(values)).toBe(values);
  expect(memoryColumns.load(values)).toBe(values);
  expect(memoryColumns.lazy(3, (from, to) => Float64Array.of(from, to))).toEqual(
    Float64Array.of(0, 3),
  );
});
