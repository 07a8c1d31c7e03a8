/** Tracks which iterations of one variable a socket was sent, as ranges, so that none is sent twice or skipped. */
import { itemAt } from '../../shared/items.ts';

/** Inclusive. */
export type Range = readonly [first: number, last: number];

export class Coverage {
  private ranges: Range[];

  /** `from`: the first requested iteration, from 1. */
  constructor(from = 1) {
    this.ranges = [[0, from - 1]];
  }

  /** First iteration that was not sent. */
  get next(): number {
    return itemAt(this.ranges, 0)[1] + 1;
  }

  /** The parts of a range that were not sent, in order. */
  missing(first: number, last: number): Range[] {
    const gaps: Range[] = [];
    let at = first;
    for (const [begin, end] of this.ranges) {
      if (end < at) continue;
      if (begin > last) break;
      if (begin > at) gaps.push([at, begin - 1]);
      at = end + 1;
    }
    if (at <= last) gaps.push([at, last]);
    return gaps;
  }

  add(first: number, last: number): void {
    const apart = this.ranges.filter(([begin, end]) => end < first - 1 || begin > last + 1);
    const touching = this.ranges.filter(([begin, end]) => end >= first - 1 && begin <= last + 1);
    const begin = Math.min(first, ...touching.map((range) => range[0]));
    const end = Math.max(last, ...touching.map((range) => range[1]));
    this.ranges = [...apart, [begin, end] as const].sort((a, b) => a[0] - b[0]);
  }
}
