import { describe, expect, it } from 'vitest';
import { momentsOf, readDaySpan } from '../../../src/dashboard/features/lists/date-choice.ts';
import { dateLabel } from '../../../src/dashboard/features/lists/date-label.ts';

const day = (text: string) => new Date(`${text}T00:00:00`).toISOString();
const now = new Date('2026-11-22T15:30:00');

describe('a span of days', () => {
  it('begins at the first moment of a day in local time', () => {
    expect(momentsOf('today', now)).toEqual({ from: day('2026-11-22'), to: '' });
    expect(momentsOf('7d', now)).toEqual({ from: day('2026-11-16'), to: '' });
    expect(momentsOf('30d', now)).toEqual({ from: day('2026-10-24'), to: '' });
  });

  it('ends before the day after its last, and either end may be open', () => {
    expect(momentsOf('2026-11-01..2026-11-05')).toEqual({
      from: day('2026-11-01'),
      to: day('2026-11-06'),
    });
    expect(momentsOf('..2026-12-31')).toEqual({ from: '', to: day('2027-01-01') });
    expect(momentsOf('2026-11-01..')).toEqual({ from: day('2026-11-01'), to: '' });
  });

  it('is empty for any other text', () => {
    for (const text of ['', '..', 'yesterday', '2026-11-01', '1..2', 'a..b..c'])
      expect([text, readDaySpan(text)]).toEqual([text, null]);
    expect(momentsOf('whenever', now)).toEqual({ from: '', to: '' });
  });

  it('is shown in words, never with the month in digits', () => {
    expect(dateLabel('7d')).toBe('in the last 7 days');
    expect(dateLabel('2026-11-01..')).toMatch(/^from .*Nov.*2026/);
    expect(dateLabel('2026-11-01..2026-11-05')).toMatch(/^from .*Nov.* to .*Nov/);
    expect(dateLabel('2026-11-05..2026-11-05')).toMatch(/^on .*Nov/);
  });
});
