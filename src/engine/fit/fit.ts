/** The interface of a chain to an algorithm other than NUTS: it fits step by step, then the fit gives draws. */
import { DomainError } from '../../math/errors.ts';
import type { Rng } from '../../math/random/rng.ts';
import { ChainEnd } from '../chain-end.ts';
import type { ChainSettings, FitSettings } from '../chain-state.ts';
import { findStart } from '../inits.ts';
import type { Model } from '../model.ts';

export interface FitRequest {
  readonly model: Model;
  readonly settings: ChainSettings;
  readonly fit: FitSettings;
  /** For starting points. */
  readonly startRng: Rng;
  /** For everything random in the fit. */
  readonly rng: Rng;
}

/** What was fitted. */
export interface Approximation {
  /**
   * Draw number `index` (from 0): writes its position (D values, unconstrained scale) to `q` and the values of
   * `fitColumns` to `statistics`. Random numbers come only from `rng`, as many as each draw needs.
   */
  draw(index: number, rng: Rng, q: Float64Array, statistics: Float64Array): void;
  /** Overwrites values of the model's output for the draw just made that are known better than by computing them. */
  overwrite?(output: Float64Array): void;
  /** Written as a separate row before the draws, as CmdStan does for ADVI. */
  readonly mean?: Float64Array;
}

/** Yields a line for the log, or null, after each step, so that its caller can stop or report. */
export type Fit = Generator<string | null, Approximation>;

/** Log density at `theta` and its gradient; −∞ if it is undefined or its gradient is not finite. */
export type LogDensity = (theta: Float64Array, gradient: Float64Array) => number;

export function createLogDensity(model: Model, jacobian: boolean): LogDensity {
  return (theta, gradient) => {
    let value: number;
    try {
      value = model.logDensityGradient(theta, gradient, jacobian);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return Number.NEGATIVE_INFINITY;
    }
    const isUsable = value - value === 0 && gradient.every((slope) => slope - slope === 0);
    return isUsable ? value : Number.NEGATIVE_INFINITY;
  };
}

/** A starting point, found as NUTS does. Throws `ChainEnd`. */
export function startOf({ model, settings, startRng: rng }: FitRequest): Float64Array {
  if (model.numUnconstrained === 0)
    throw new ChainEnd(
      'no-start',
      'The program has no parameters, so there is nothing to fit: choose the algorithm fixed_param.',
    );
  const found = findStart({ model, rng, radius: settings.initRadius, inits: settings.inits });
  if (!found.ok) throw new ChainEnd('no-start', found.message);
  return found.start.q;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Four significant digits, for the log. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(5)));
}
