/** Logarithms of the beta function and of binomial coefficients. */
import { halfLogTwoPi } from './constants.ts';
import { digamma, lgamma, logRisingRatio, stirlingCorrection } from './gamma.ts';

/**
 * log B(a, b) for a, b > 0. For large arguments the leading Stirling terms are combined first: three log Γ of size
 * a log a would cancel. Follows Didonato & Morris (1992), "Algorithm 708", function BETALN.
 */
export function lbeta(a: number, b: number): number {
  const x = Math.min(a, b);
  const y = Math.max(a, b);
  if (x === 0) return Infinity;
  if (y === Infinity) return -Infinity;
  if (y < 10) return lgamma(x) + lgamma(y) - lgamma(x + y);
  if (x < 10) return lgamma(x) - logRisingRatio(y, x);
  const correction = stirlingCorrection(x) + stirlingCorrection(y) - stirlingCorrection(x + y);
  return (
    halfLogTwoPi -
    0.5 * Math.log(y) +
    correction +
    (x - 0.5) * Math.log(x / (x + y)) -
    y * Math.log1p(x / y)
  );
}

/** B(a, b). */
export function beta(a: number, b: number): number {
  return Math.exp(lbeta(a, b));
}

/** d/da log B(a, b). */
export function lbetaDa(a: number, b: number): number {
  return digamma(a) - digamma(a + b);
}

/** log of the binomial coefficient for real arguments, n ≥ k − 1 (Stan functions reference, `lchoose`). */
export function lchoose(n: number, k: number): number {
  if (k === 0 || k === n) return 0;
  if (k > n / 2) return lchoose(n, n - k);
  if (k < 0) return n + 1 === 0 ? Number.NaN : -Infinity;
  if (k === 1) return Math.log(Math.abs(n));
  return -Math.log1p(n) - lbeta(n - k + 1, k + 1);
}

/** d/dn and d/dk of {@link lchoose}. */
export function lchooseDn(n: number, k: number): number {
  return digamma(n + 1) - digamma(n - k + 1);
}
export function lchooseDk(n: number, k: number): number {
  return digamma(n - k + 1) - digamma(k + 1);
}

/** The binomial coefficient of integers, exact below 2^53; 0 for k outside 0…n. */
export function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  const m = Math.min(k, n - k);
  let c = 1;
  for (let i = 1; i <= m; i++) c = Math.round((c * (n - m + i)) / i);
  return c;
}
