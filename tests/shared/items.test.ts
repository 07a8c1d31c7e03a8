import { describe, expect, it } from 'vitest';
import { itemAt, ownValue } from '../../src/shared/items.ts';

describe('an item that must be there', () => {
  it('is returned as it is, even if it is falsy', () => {
    expect(itemAt(['', 'b'], 0)).toBe('');
    expect(itemAt(Float64Array.of(1, 0), 1)).toBe(0);
    expect(itemAt([null], 0)).toBeNull();
  });

  it.each([-1, 2, 0.5, Number.NaN])('is an error at the index %s', (index) => {
    expect(() => itemAt(['a', 'b'], index)).toThrow(`no item ${index} among 2`);
  });
});

it('finds no value under a key that a record only inherits', () => {
  const record = { a: 1 };
  expect(ownValue(record, 'a')).toBe(1);
  expect(ownValue(record, 'b')).toBeUndefined();
  expect(ownValue(record, 'constructor')).toBeUndefined();
});
