import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../../src/dashboard/ui/numbers.ts';

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [84_123, '84 kB'],
    [2_100_000, '2.1 MB'],
    [5e15, '5000 TB'],
  ])('%s bytes read %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
