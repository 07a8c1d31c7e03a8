/** The real branches of the Lambert W function, W e^W = x (Corless et al. 1996). */

/** Halley's iteration on w e^w = x (Corless et al., eq. 5.9). */
function halley(x: number, start: number): number {
  let w = start;
  for (let k = 0; k < 50; k++) {
    const e = Math.exp(w);
    const f = w * e - x;
    const step = f / (e * (w + 1) - ((w + 2) * f) / (2 * w + 2));
    if (!Number.isFinite(step)) break;
    w -= step;
    if (Math.abs(step) <= 1e-16 * (1 + Math.abs(w))) break;
  }
  return w;
}

/** √(2 (e x + 1)): the distance from the branch point in the series of Corless et al., eq. 4.22. */
function branchDistance(x: number): number {
  return Math.sqrt(Math.max(0, 2 * (Math.E * x + 1)));
}

/** W₀(x) ≥ −1, x ≥ −1/e; NaN below. */
export function lambertW0(x: number): number {
  if (x < -1 / Math.E) return Number.NaN;
  if (x === 0 || x === Infinity) return x;
  const p = branchDistance(x);
  if (p < 1e-7) return -1 + p;
  if (x < 1) return halley(x, x < -0.25 ? -1 + p - (p * p) / 3 : Math.log1p(x));
  const l = Math.log(x);
  return halley(x, l > 1 ? l - Math.log(l) : l * 0.6 + 0.5);
}

/** W₋₁(x) ≤ −1, −1/e ≤ x < 0; NaN outside. */
export function lambertWm1(x: number): number {
  if (x < -1 / Math.E || x > 0) return Number.NaN;
  if (x === 0) return -Infinity;
  const p = branchDistance(x);
  if (p < 1e-7) return -1 - p;
  if (x < -0.25) return halley(x, -1 - p - (p * p) / 3);
  const l = Math.log(-x);
  return halley(x, l - Math.log(-l));
}

/** dW/dx = W / (x (1 + W)), and 1 at x = 0 on the main branch. */
export function lambertWDx(x: number, w: number): number {
  return x === 0 ? 1 : w / (x * (1 + w));
}
