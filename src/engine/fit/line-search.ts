/**
 * A step along a descent direction that meets the strong Wolfe conditions.
 * Source: Nocedal & Wright 2006, Numerical Optimization, algorithms 3.5 and 3.6, with Stan's constants.
 */
import { dot } from './fit.ts';

/** A function to minimise: its value, and its gradient into `gradient`; +∞ where it is undefined. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

export interface Point {
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  readonly value: number;
}

/** A point on the line. */
interface Trial extends Point {
  readonly step: number;
  /** Derivative along the direction. */
  readonly slope: number;
}

const sufficientDecrease = 1e-4;
const curvature = 0.9;
const maxTrials = 40;
const shortestStep = 1e-12;

/** Null if no such step is found. */
export function searchLine(
  objective: Objective,
  from: Point,
  direction: Float64Array,
  firstStep: number,
): (Point & { readonly step: number }) | null {
  const slope = dot(from.gradient, direction);
  if (!(slope < 0)) return null;
  const start: Trial = { ...from, step: 0, slope };
  const at = (step: number) => trialAt(objective, from, direction, step);
  const isTooHigh = (trial: Trial) =>
    trial.value > start.value + sufficientDecrease * trial.step * slope;
  const isAccepted = (trial: Trial) => Math.abs(trial.slope) <= -curvature * slope;

  let previous = start;
  let step = firstStep;
  let ceiling = Number.POSITIVE_INFINITY;
  for (let n = 0; n < maxTrials && step > shortestStep; n++) {
    const trial = at(step);
    if (trial.value === Number.POSITIVE_INFINITY) {
      // outside the domain: bisect between the last point inside and here
      ceiling = step;
      step = 0.5 * (previous.step + step);
      continue;
    }
    if (isFlat(start, trial)) return trial;
    if (isTooHigh(trial) || (previous.step > 0 && trial.value >= previous.value))
      return zoom({ at, isTooHigh, isAccepted, start }, previous, trial);
    if (isAccepted(trial)) return trial;
    if (trial.slope >= 0) return zoom({ at, isTooHigh, isAccepted, start }, trial, previous);
    previous = trial;
    step = Math.min(10 * step, 0.5 * (step + ceiling));
  }
  // still falling after this many tenfold steps: there is no minimum
  return previous.step > 0 && ceiling < Number.POSITIVE_INFINITY ? previous : null;
}

function trialAt(objective: Objective, from: Point, direction: Float64Array, step: number): Trial {
  const x = from.x.map((value, i) => value + step * direction[i]);
  const gradient = new Float64Array(x.length);
  const value = objective(x, gradient);
  return { x, gradient, value, step, slope: dot(gradient, direction) };
}

/**
 * The approximate Wolfe conditions, for steps so close to the minimum that rounding hides the decrease.
 * Source: Hager & Zhang 2005, SIAM J. Optim. 16(1), eq. 4.1.
 */
function isFlat(start: Trial, trial: Trial): boolean {
  return (
    Math.abs(trial.value - start.value) <= 4 * Number.EPSILON * Math.abs(start.value) &&
    trial.slope >= curvature * start.slope &&
    trial.slope <= (2 * sufficientDecrease - 1) * start.slope
  );
}

interface Line {
  readonly at: (step: number) => Trial;
  readonly isTooHigh: (trial: Trial) => boolean;
  readonly isAccepted: (trial: Trial) => boolean;
  readonly start: Trial;
}

/** `low` is the best point so far with sufficient decrease; an acceptable step lies between the two. */
function zoom(line: Line, low: Trial, high: Trial): Trial | null {
  for (let n = 0; n < maxTrials; n++) {
    const width = Math.abs(high.step - low.step);
    if (width < shortestStep * Math.max(1, low.step)) break;
    const trial = line.at(interpolate(low, high));
    if (isFlat(line.start, trial)) return trial;
    if (line.isTooHigh(trial) || trial.value >= low.value) {
      high = trial;
      continue;
    }
    if (line.isAccepted(trial)) return trial;
    if (trial.slope * (high.step - low.step) >= 0) high = low;
    low = trial;
  }
  // it decreases enough, though it may still be steep
  return low.step > 0 ? low : null;
}

/** Minimum of the cubic through two values and slopes (eq. 3.59), kept off the ends; the middle if it has none. */
function interpolate(low: Trial, high: Trial): number {
  const width = high.step - low.step;
  const middle = low.step + 0.5 * width;
  const d1 = low.slope + high.slope - (3 * (low.value - high.value)) / (low.step - high.step);
  // this and all that follows is NaN if there is no minimum or the higher value is infinite
  const d2 = Math.sign(width) * Math.sqrt(d1 * d1 - low.slope * high.slope);
  const step = high.step - (width * (high.slope + d2 - d1)) / (high.slope - low.slope + 2 * d2);
  const share = (step - low.step) / width;
  return share > 0.1 && share < 0.9 ? step : middle;
}
