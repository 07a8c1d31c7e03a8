/** The quantile of the beta distribution: x with I_x(a, b) = p. */
import { IncompleteBeta } from './incomplete-beta.ts';

const beta = new IncompleteBeta();

/** Newton steps on log I within a bracket, which bisection halves if a step would leave it. */
export function inverseIncompleteBeta(a: number, b: number, p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0 || p === 1) return p;
  const target = Math.log(p);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (let k = 0; k < 200; k++) {
    beta.compute(a, b, x, 1 - x);
    const f = beta.logI - target;
    if (f > 0) high = x;
    else low = x;
    const next = x - f * Math.exp(beta.logI - beta.logDensity);
    const previous = x;
    x = next > low && next < high ? next : 0.5 * (low + high);
    if (Math.abs(x - previous) <= 1e-16 * x) break;
  }
  return x;
}
