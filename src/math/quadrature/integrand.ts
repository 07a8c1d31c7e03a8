/** What the quadrature rules integrate: several functions of one variable together, a value and its derivatives. */
import { DomainError } from '../errors.ts';

export interface Integrand {
  /** How many functions. */
  readonly count: number;
  /**
   * Writes them at `x` into `out`. `xc`: x seen from the nearer limit, as `limit - x` without its rounding; NaN if a limit
   * is infinite or the rule does not know it.
   */
  evaluate(x: number, xc: number, out: Float64Array): void;
}

export interface Tolerances {
  /** Of the integral of the absolute value. */
  readonly relative: number;
  readonly absolute: number;
  /** How often the rule may be refined. */
  readonly refinements: number;
}

/** Throws unless `error` is as small as requested. */
export function requireAccuracy(
  name: string,
  error: number,
  norm: number,
  { relative, absolute }: Tolerances,
): void {
  if (error <= Math.max(relative * norm, absolute)) return;
  throw new DomainError(
    `${name}: error estimate of integral ${error} exceeds the given relative tolerance times norm of integral ${relative * norm}`,
  );
}
