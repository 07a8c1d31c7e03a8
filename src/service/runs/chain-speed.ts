/**
 * How fast a chain is: iterations a second over the last seconds, as people and the time left want it.
 *
 * Between two reports alone the number would be of the database: reports that had to wait for it arrive together, a
 * thousand iterations within a millisecond.
 */

/** Milliseconds that a rate is taken over, and below which there is none. */
const spanMs = 3000;
const leastMs = 250;

interface Report {
  readonly at: number;
  readonly iteration: number;
}

export class ChainSpeed {
  /** Oldest first: the newest that is a whole span old, and those since. */
  private reports: readonly Report[] = [];

  /** The rate with this report; null: too early to tell. `at` in milliseconds. */
  report(iteration: number, at: number): number | null {
    const all = [...this.reports, { at, iteration }];
    const first = all.findLastIndex((report) => at - report.at >= spanMs);
    this.reports = all.slice(Math.max(0, first));
    const [oldest] = this.reports;
    if (oldest === undefined || at - oldest.at < leastMs) return null;
    return ((iteration - oldest.iteration) * 1000) / (at - oldest.at);
  }
}
