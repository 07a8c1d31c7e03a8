/** Random draws from continuous distributions, one number at a time. */
import type { Rng } from './rng.ts';

/**
 * Gamma of shape `alpha`, scale 1: Marsaglia & Tsang (2000), "A simple method for generating gamma variables", ACM TOMS
 * 26:3. Below shape 1 the draw of alpha + 1 is scaled by U^(1/alpha) (their section 6).
 */
export function drawGamma(rng: Rng, alpha: number): number {
  if (alpha < 1) return drawGamma(rng, alpha + 1) * Math.exp(-rng.exponential() / alpha);
  const d = alpha - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = rng.normal();
    const t = 1 + c * x;
    if (t <= 0) continue;
    const v = t * t * t;
    const u = rng.uniform();
    if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** log of a Gamma(alpha, 1) draw: does not underflow for small shapes. */
export function drawLogGamma(rng: Rng, alpha: number): number {
  if (alpha >= 1) return Math.log(drawGamma(rng, alpha));
  return Math.log(drawGamma(rng, alpha + 1)) - rng.exponential() / alpha;
}

/** Beta as a ratio of gammas, by logarithms so that small shapes give 0 or 1 and not 0/0. */
export function drawBeta(rng: Rng, alpha: number, beta: number): number {
  const a = drawLogGamma(rng, alpha);
  const b = drawLogGamma(rng, beta);
  return 1 / (1 + Math.exp(b - a));
}

export function drawChiSquare(rng: Rng, nu: number): number {
  return 2 * drawGamma(rng, 0.5 * nu);
}

export function drawStudentT(rng: Rng, nu: number): number {
  return rng.normal() / Math.sqrt(drawChiSquare(rng, nu) / nu);
}

/** By inversion. */
export function drawCauchy(rng: Rng): number {
  return Math.tan(Math.PI * (rng.uniform() - 0.5));
}

/** Standard Laplace: an exponential with a random sign. */
export function drawLaplace(rng: Rng): number {
  const e = rng.exponential();
  return rng.uint32() & 1 ? e : -e;
}

/** Standard logistic, by inversion. */
export function drawLogistic(rng: Rng): number {
  const u = rng.uniform();
  return Math.log(u / (1 - u));
}

/** Standard Gumbel, by inversion. */
export function drawGumbel(rng: Rng): number {
  return -Math.log(rng.exponential());
}

/** Best & Fisher (1979), "Efficient simulation of the von Mises distribution", Applied Statistics 28:2. */
export function drawVonMises(rng: Rng, mu: number, kappa: number): number {
  if (kappa < 1e-8) return mu + Math.PI * (2 * rng.uniform() - 1);
  const tau = 1 + Math.sqrt(1 + 4 * kappa * kappa);
  const rho = (tau - Math.sqrt(2 * tau)) / (2 * kappa);
  const r = kappa < 1e-5 ? 1 / kappa : (1 + rho * rho) / (2 * rho);
  for (;;) {
    const z = Math.cos(Math.PI * rng.uniform());
    const f = (1 + r * z) / (r + z);
    const c = kappa * (r - f);
    const u = rng.uniform();
    if (c * (2 - c) > u || Math.log(c / u) + 1 - c >= 0) {
      const angle = Math.acos(Math.min(1, Math.max(-1, f)));
      const x = mu + (rng.uint32() & 1 ? angle : -angle);
      return x - 2 * Math.PI * Math.floor((x - mu + Math.PI) / (2 * Math.PI));
    }
  }
}

/** Skew normal of shape alpha: δ|Z₀| + √(1 − δ²) Z₁ (Azzalini 1985). */
export function drawSkewNormal(rng: Rng, alpha: number): number {
  const delta = alpha / Math.sqrt(1 + alpha * alpha);
  return delta * Math.abs(rng.normal()) + Math.sqrt(1 - delta * delta) * rng.normal();
}
