/** Quantiles of the beta distribution, used for the interval of a quantile's Monte Carlo error. */

const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
  12.507343278686905, -0.13857109526572012, 0.000009984369578019572, 1.5056327351493116e-7,
];

/** ln Γ(x) for x ≥ 0.5, about 14 digits. Source: Lanczos 1964, g = 7 with nine terms. */
function logGamma(x: number): number {
  const z = x - 1;
  let sum = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i] / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const floor = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / floor(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / floor(1 + even * d);
    c = floor(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / floor(1 + odd * d);
    c = floor(1 + odd / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return h;
}

/** Regularised incomplete beta function I_x(a, b) for 0 ≤ x ≤ 1 and a, b ≥ 1. */
export function betaCumulative(x: number, a: number, b: number): number {
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  // The fraction converges fast on this side of the mean; the other side follows by symmetry.
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** The x with I_x(a, b) = p, by bisection to the last bits that matter; NaN unless 0 ≤ p ≤ 1 and a, b ≥ 1. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1 && a >= 1 && b >= 1)) return NaN;
  let low = 0;
  let high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (betaCumulative(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
