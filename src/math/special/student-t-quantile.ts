/** Quantiles of Student's t from those of the beta distribution (Abramowitz & Stegun 26.7.1). */
import { lbeta } from './beta.ts';
import { IncompleteBeta } from './incomplete-beta.ts';
import { inverseIncompleteBeta } from './inverse-incomplete-beta.ts';

const beta = new IncompleteBeta();

/** A quantile and its derivatives in the probability and the degrees of freedom. */
export interface Quantile {
  readonly value: number;
  readonly dp: number;
  readonly dNu: number;
}

/** `p` in [0, 1] and `nu` > 0; infinite at the ends. */
export function studentTQuantile(p: number, nu: number): Quantile {
  if (p === 0.5) return { value: 0, dp: Math.exp(-logDensity(0, nu)), dNu: 0 };
  const value = p < 0.5 ? -magnitude(p, nu) : magnitude(1 - p, nu);
  if (!Number.isFinite(value)) return { value, dp: Number.POSITIVE_INFINITY, dNu: 0 };
  const density = Math.exp(logDensity(value, nu));
  return { value, dp: 1 / density, dNu: (Math.sign(value) * dTail(value, nu)) / density };
}

/** |t| with the probability `tail` below −|t|. */
function magnitude(tail: number, nu: number): number {
  // each form where it loses no digits
  if (tail < 0.25) {
    const x = inverseIncompleteBeta(0.5 * nu, 0.5, 2 * tail);
    return Math.sqrt(nu * ((1 - x) / x));
  }
  const y = inverseIncompleteBeta(0.5, 0.5 * nu, 1 - 2 * tail);
  return Math.sqrt(nu * (y / (1 - y)));
}

function logDensity(t: number, nu: number): number {
  return -0.5 * Math.log(nu) - lbeta(0.5, 0.5 * nu) - 0.5 * (nu + 1) * Math.log1p((t * t) / nu);
}

/** The derivative of the probability below −|t| in the degrees of freedom. */
function dTail(t: number, nu: number): number {
  const square = t * t;
  const sum = nu + square;
  beta.compute(0.5 * nu, 0.5, nu / sum, square / sum);
  const dx = square / (sum * sum);
  return 0.5 * (0.5 * Math.exp(beta.logI) * beta.daLogI + Math.exp(beta.logDensity) * dx);
}
