/**
 * When warmup learns what: pure arithmetic, as in Stan's windowed adaptation (reference manual, "HMC algorithm
 * parameters: automatic parameter tuning").
 *
 * Warmup is an initial buffer (step size only), windows of doubling length (metric and step size), and a terminal
 * buffer (step size only).
 */

export interface WarmupSchedule {
  readonly numWarmup: number;
  readonly initBuffer: number;
  readonly termBuffer: number;
  readonly baseWindow: number;
  /** The last iteration (0-based) of each metric window, ascending; the metric is set after it. */
  readonly windowEnds: readonly number[];
}

/** Stan's defaults. */
const defaults = { initBuffer: 75, termBuffer: 50, baseWindow: 25 };
/** Shorter warmups adapt the step size only. */
const shortestWithMetric = 20;

export function createWarmupSchedule(numWarmup: number): WarmupSchedule {
  if (numWarmup < shortestWithMetric) {
    return { numWarmup, initBuffer: numWarmup, termBuffer: 0, baseWindow: 0, windowEnds: [] };
  }
  const buffers = fitBuffers(numWarmup);
  return { numWarmup, ...buffers, windowEnds: placeWindows(numWarmup, buffers) };
}

type Buffers = typeof defaults;

function fitBuffers(numWarmup: number): Buffers {
  const { initBuffer, termBuffer, baseWindow } = defaults;
  if (initBuffer + baseWindow + termBuffer <= numWarmup) return defaults;
  const init = Math.floor(0.15 * numWarmup);
  const term = Math.floor(0.1 * numWarmup);
  return { initBuffer: init, termBuffer: term, baseWindow: numWarmup - init - term };
}

function placeWindows(numWarmup: number, buffers: Buffers): number[] {
  const last = numWarmup - buffers.termBuffer - 1;
  let size = buffers.baseWindow;
  let end = buffers.initBuffer + size - 1;
  const ends = [end];
  while (end < last) {
    size *= 2;
    end += size;
    // a complete window would not fit after this one, which takes the rest
    if (end + 2 * size > last) end = last;
    ends.push(end);
  }
  return ends;
}

/** Whether the draw of this iteration (0-based) counts for the metric. */
export function isInMetricWindow(schedule: WarmupSchedule, iteration: number): boolean {
  return iteration >= schedule.initBuffer && iteration < schedule.numWarmup - schedule.termBuffer;
}

/** Whether the metric is set after this iteration (0-based). */
export function isWindowEnd(schedule: WarmupSchedule, iteration: number): boolean {
  return schedule.windowEnds.includes(iteration);
}
