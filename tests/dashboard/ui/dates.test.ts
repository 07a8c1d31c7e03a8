import { describe, expect, it } from 'vitest';
import { formatDay, formatRecent } from '../../../src/dashboard/ui/dates.ts';

describe('dates', () => {
  const noon = new Date(2026, 10, 3, 12, 3);

  it('have no month in digits, which readers in different countries read differently', () => {
    expect(formatDay(noon)).toMatch(/\p{Letter}/u);
    expect(formatDay(noon)).toContain('2026');
  });

  it('of today are a time only, with midnight as 00', () => {
    expect(formatRecent(noon, new Date(2026, 10, 3, 23, 59))).toBe('12:03');
    const midnight = new Date(2026, 10, 3, 0, 5);
    expect(formatRecent(midnight, noon)).toBe('00:05');
  });

  it('of another day are a day and a time', () => {
    expect(formatRecent(noon, new Date(2026, 10, 4, 0, 1))).toMatch(/3.*, 12:03$/);
  });
});
