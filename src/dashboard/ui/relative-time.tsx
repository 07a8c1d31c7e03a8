/** "6 min ago", with the exact time on hover; updates while it is visible. */
import { useEffect, useState } from 'react';
import { formatDateTime, formatDay } from './dates.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** `now` and `date` in milliseconds since the epoch. */
export function relativeText(date: number, now: number): string {
  const seconds = Math.round((now - date) / 1000);
  if (seconds < 0) return formatDay(new Date(date));
  if (seconds < 5) return 'just now';
  if (seconds < minute) return `${seconds} s ago`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min ago`;
  if (seconds < day) return `${Math.floor(seconds / hour)} h ago`;
  if (seconds < 2 * day) return 'yesterday';
  if (seconds < 14 * day) return `${Math.floor(seconds / day)} days ago`;
  return formatDay(new Date(date));
}

export function RelativeTime({ date }: { date: string | null | undefined }) {
  const time = date ? Date.parse(date) : Number.NaN;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (Number.isNaN(time)) return;
    const age = Date.now() - time;
    const timer = setInterval(() => setNow(Date.now()), age < minute * 1000 ? 5000 : 60_000);
    return () => clearInterval(timer);
  }, [time]);
  if (Number.isNaN(time)) return <span>–</span>;
  return (
    <time dateTime={date ?? undefined} title={formatDateTime(new Date(time))}>
      {relativeText(time, Math.max(now, time))}
    </time>
  );
}
