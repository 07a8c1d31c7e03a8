/**
 * How fast a chain is: iterations per second over the last few seconds, for display and for the time remaining.
 *
 * The rate between just two reports would measure the database: reports that had to wait for it arrive together, a
 * thousand iterations within a millisecond.
 */

/** Milliseconds over which a rate is computed, and the minimum for one. */
const spanMs = 3000;
const leastMs = 250;

interface Report {
  readonly at: number;
  readonly iteration: number;
}

export class ChainSpeed {
  /** Oldest first: the newest that is at least a full span old, and those after it. */
  private reports: readonly Report[] = [];

  /** The rate including this report; null: too early to tell. `at` in milliseconds. */
  report(iteration: number, at: number): number | null {
    const all = [...this.reports, { at, iteration }];
    const first = all.findLastIndex((report) => at - report.at >= spanMs);
    this.reports = all.slice(Math.max(0, first));
    const [oldest] = this.reports;
    if (oldest === undefined || at - oldest.at < leastMs) return null;
    return ((iteration - oldest.iteration) * 1000) / (at - oldest.at);
  }
}
