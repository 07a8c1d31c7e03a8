/** When the server last reported a run's state, outside React: read by the one label that counts seconds. */

export class Freshness {
  /** Milliseconds since the epoch; 0: nothing has come yet. */
  at = 0;

  note(): void {
    this.at = Date.now();
  }
}

/** Figures up to this age still count as live. */
const liveSeconds = 2;

/** "Live, updated just now", without "Live" once that is no longer true; null before the first answer. */
export function freshnessText(at: number, now: number): string | null {
  if (at === 0) return null;
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  const ago = seconds < 90 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
  return seconds <= liveSeconds ? 'Live, updated just now' : `Updated ${ago}`;
}
