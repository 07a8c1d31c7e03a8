/** Owen's T function: T(h, a) = (1/2π) ∫₀^a exp(−h²(1 + x²)/2) / (1 + x²) dx (Owen 1956). */

import { phi } from './erf.ts';
import { gaussLegendre20 } from './gauss-legendre.ts';

export function owensT(h: number, a: number): number {
  if (a < 0) return -owensT(h, -a);
  const u = Math.abs(h);
  if (a <= 1) return integrate(u, a);
  // Owen (1956), eq. 2.3: T(h, a) + T(ah, 1/a) = ½(Φ(h) + Φ(ah)) − Φ(h)Φ(ah), h ≥ 0; by complements, which are small
  const p = phi(-u);
  const q = phi(-a * u);
  if (a === Infinity) return 0.5 * p;
  return 0.5 * (p + q) - p * q - integrate(a * u, 1 / a);
}

/** By panels of Gauss–Legendre quadrature that are short compared with the width 1/h of the integrand. */
function integrate(h: number, a: number): number {
  const effective = h > 0 ? Math.min(a, 9 / h) : a;
  const panels = Math.max(1, Math.ceil((h * effective) / 3));
  const width = effective / panels;
  let sum = 0;
  for (let k = 0; k < panels; k++) {
    sum += gaussLegendre20(k * width, (k + 1) * width, (x) => {
      const s = 1 + x * x;
      return Math.exp(-0.5 * h * h * s) / s;
    });
  }
  return sum / (2 * Math.PI);
}

export function owensTDh(h: number, a: number): number {
  // −φ(h) (Φ(ah) − ½)
  return -(Math.exp(-0.5 * h * h) / Math.sqrt(2 * Math.PI)) * (phi(a * h) - 0.5);
}

export function owensTDa(h: number, a: number): number {
  const s = 1 + a * a;
  return Math.exp(-0.5 * h * h * s) / (2 * Math.PI * s);
}
