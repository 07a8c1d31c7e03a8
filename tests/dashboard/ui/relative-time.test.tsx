// Runs in a window.
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RelativeTime, relativeText } from '../../../src/dashboard/ui/relative-time.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const now = Date.parse('2026-11-21T12:00:00Z');

describe('a time', () => {
  it.each([
    [0, 'just now'],
    [4.4, 'just now'],
    [12, '12 s ago'],
    [59, '59 s ago'],
    [60, '1 min ago'],
    [3599, '59 min ago'],
    [3600, '1 h ago'],
    [86_399, '23 h ago'],
    [86_400, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [13 * 86_400, '13 days ago'],
  ])('of %s seconds ago is %s', (seconds, text) => {
    expect(relativeText(now - seconds * 1000, now)).toBe(text);
  });

  it('of long ago is a date with its year', () => {
    expect(relativeText(now - 14 * 86_400_000, now)).toContain('2026');
  });

  it('updates itself and shows the exact time on hover', async () => {
    vi.useFakeTimers({ now });
    render(<RelativeTime date="2026-11-21T11:59:50Z" />);
    expect(screen.getByText('10 s ago').title).not.toBe('');
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(screen.getByText('30 s ago')).toBeTruthy();
  });

  it('ahead of the clock is just now, and an unknown one is a dash', () => {
    vi.useFakeTimers({ now });
    const { container } = render(
      <>
        <RelativeTime date="2026-11-21T12:05:00Z" />
        <RelativeTime date="" />
        <RelativeTime date={null} />
        <RelativeTime date="never" />
      </>,
    );
    expect(container.textContent).toBe('just now–––');
  });
});
