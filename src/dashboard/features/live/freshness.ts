/** When the server last said how a run stands, outside React: the one label that counts seconds reads it. */

export class Freshness {
  /** Milliseconds since the epoch; 0: nothing has come yet. */
  at = 0;

  note(): void {
    this.at = Date.now();
  }
}

/** Figures as old as this still count as live. */
const liveSeconds = 2;

/** "Live, updated just now", and without "Live" once that would not be true; null before anything came. */
export function freshnessText(at: number, now: number): string | null {
  if (at === 0) return null;
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  const ago = seconds < 90 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
  return seconds <= liveSeconds ? 'Live, updated just now' : `Updated ${ago}`;
}
