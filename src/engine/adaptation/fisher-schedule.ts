/**
 * When warmup by Fisher divergence forgets: pure arithmetic. The metric learns from the first draw on. Two samples grow
 * in parallel, and once the younger one is a full window long, the older one is dropped. Early windows are short, so
 * that the path from the starting point is soon forgotten; later ones grow by half.
 */

export interface FisherSchedule {
  readonly numWarmup: number;
  /** From this iteration (0-based) on, the metric is fixed; the step size still adapts. */
  readonly fixedFrom: number;
  /** After these iterations the younger sample replaces the older one; ascending. */
  readonly windowEnds: readonly number[];
}

const earlyShare = 0.3;
const fixedShare = 0.15;
const earlyWindow = 10;
const lateWindow = 80;
const growth = 1.5;
/** Shorter warmups adapt the step size only. */
const shortestWithMetric = 20;

export function createFisherSchedule(numWarmup: number): FisherSchedule {
  if (numWarmup < shortestWithMetric) return { numWarmup, fixedFrom: 0, windowEnds: [] };
  const fixedFrom = numWarmup - Math.floor(fixedShare * numWarmup);
  const earlyEnd = Math.floor(earlyShare * numWarmup);
  const windowEnds: number[] = [];
  let end = earlyWindow;
  for (; end <= earlyEnd; end += earlyWindow) windowEnds.push(end - 1);
  let size = lateWindow;
  end = (windowEnds.at(-1) ?? -1) + 1 + size;
  // a window begins only if the next one still fits
  while (end + Math.round(size * growth) <= fixedFrom) {
    windowEnds.push(end - 1);
    size = Math.round(size * growth);
    end += size;
  }
  return { numWarmup, fixedFrom, windowEnds };
}
