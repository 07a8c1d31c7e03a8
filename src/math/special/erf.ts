/** The error function and the standard normal distribution function, accurate far into both tails. */
import { halfLogTwoPi } from './constants.ts';

const sqrt2 = Math.SQRT2;
const twoOverSqrtPi = 1.1283791670955126;

/**
 * Chebyshev coefficients in s = 2t − 1 of log(exp(x²) erfc(x) / t), t = 2 / (2 + x), x ≥ 0 (the form of Press et al.,
 * *Numerical Recipes*, 3rd ed., section 6.2.2), computed with mpmath to 60 digits; the first one left out is 5e-20.
 */
const scaledErfc = [
  -0.6513268598908547, 0.6419697923564902, 0.019476473204185836, -0.009561514786808632,
  -0.0009465953444820369, 0.00036683949785276145, 4.252332480690777e-5, -2.0278578112534242e-5,
  -1.6242900046470256e-6, 1.3036558355805232e-6, 1.5626441722066142e-8, -8.523809591492654e-8,
  6.5290544390988515e-9, 5.059343495551469e-9, -9.91364156493033e-10, -2.273651222931836e-10,
  9.646791102015527e-11, 2.3940380830391146e-12, -6.886027526497553e-12, 8.944879273090725e-13,
  3.130921399342958e-13, -1.1270822361367252e-13, 3.810905255189232e-16, 7.106097613609237e-15,
  -1.5230282014571043e-15, -9.457494571291233e-17, 1.210237189224279e-16, -2.816663087747177e-17,
];

/** log(exp(x²) erfc(x)) for x ≥ 0, by Clenshaw's recurrence. */
function logErfcx(x: number): number {
  const t = 2 / (2 + x);
  const s2 = 4 * t - 2;
  let b1 = 0;
  let b2 = 0;
  for (let k = scaledErfc.length - 1; k > 0; k--) {
    const b = s2 * b1 - b2 + scaledErfc[k];
    b2 = b1;
    b1 = b;
  }
  return Math.log(t) + 0.5 * s2 * b1 - b2 + scaledErfc[0];
}

/** exp(−x²) without the error that rounding x² would bring for large x: x is split at 2⁻⁴. */
function expMinusSquare(x: number): number {
  const high = Math.floor(x * 16) / 16;
  return Math.exp(-high * high) * Math.exp(-(x - high) * (x + high));
}

/** erf(x) by the series DLMF 7.6.2, for |x| < 1. */
function erfSeries(x: number): number {
  const x2 = x * x;
  let term = 1;
  let sum = 1;
  for (let k = 1; term > 1e-17 * sum; k++) {
    term *= (2 * x2) / (2 * k + 1);
    sum += term;
  }
  return twoOverSqrtPi * x * Math.exp(-x2) * sum;
}

/** The error function. */
export function erf(x: number): number {
  const a = Math.abs(x);
  if (a < 1) return erfSeries(x);
  return x > 0 ? 1 - erfc(x) : erfc(-x) - 1;
}

/** 1 − erf(x), with full relative accuracy in the right tail. */
export function erfc(x: number): number {
  if (Math.abs(x) < 0.5) return 1 - erfSeries(x);
  if (x < 0) return 2 - erfc(-x);
  if (x > 27.3) return 0;
  return Number.isNaN(x) ? x : expMinusSquare(x) * Math.exp(logErfcx(x));
}

/** d erf(x)/dx; that of erfc is its negative. */
export function erfDx(x: number): number {
  return twoOverSqrtPi * Math.exp(-x * x);
}

/** Φ(x), the standard normal distribution function. */
export function phi(x: number): number {
  return 0.5 * erfc(-x / sqrt2);
}

/** log Φ(x): in the left tail directly from the logarithm of the scaled erfc, so it never underflows. */
export function logPhi(x: number): number {
  if (x < -1) return logErfcx(-x / sqrt2) - 0.5 * x * x - Math.LN2;
  return Math.log1p(-0.5 * erfc(x / sqrt2));
}

/** The standard normal density. */
export function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x - halfLogTwoPi);
}

/** d log Φ(x)/dx = φ(x)/Φ(x), the inverse Mills ratio at −x. */
export function logPhiDx(x: number): number {
  if (x < -1) return Math.exp(-halfLogTwoPi + Math.LN2 - logErfcx(-x / sqrt2));
  return normalDensity(x) / phi(x);
}

/** Stan's logistic approximation of Φ: inv_logit(0.07056 x³ + 1.5976 x) (Bowling et al. 2009). */
export function phiApprox(x: number): number {
  return 1 / (1 + Math.exp(-x * (0.07056 * x * x + 1.5976)));
}

/** A starting value for the quantile: Abramowitz & Stegun 26.2.23, error below 4.5e-4, for log p of the left tail. */
function quantileStart(logP: number): number {
  const t = Math.sqrt(-2 * logP);
  return (
    (2.515517 + t * (0.802853 + t * 0.010328)) /
      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
    t
  );
}

/** Φ⁻¹(exp(logP)), by Halley steps on log Φ, which is nearly quadratic: accurate for p down to exp(−1e5). */
export function logQuantile(logP: number): number {
  if (Number.isNaN(logP) || logP > 0) return Number.NaN;
  if (logP === -Infinity) return -Infinity;
  if (logP === 0) return Infinity;
  // in the right half, the left tail of −x is the accurate one
  if (logP > -Math.LN2) {
    const upper = -Math.expm1(logP);
    return -leftQuantile(upper < 1e-300 ? Math.log(-logP) : Math.log(upper));
  }
  return leftQuantile(logP);
}

function leftQuantile(logP: number): number {
  let x = quantileStart(logP);
  for (let step = 0; step < 3; step++) {
    const ratio = logPhiDx(x);
    const f = logPhi(x) - logP;
    // (log Φ)″ = −(log Φ)′ (x + (log Φ)′)
    const newton = f / ratio;
    const dx = newton / (1 + 0.5 * newton * (x + ratio));
    x -= dx;
    if (Math.abs(dx) < 1e-16 * (1 + Math.abs(x))) break;
  }
  return x;
}

/** Φ⁻¹(p); NaN outside [0, 1]. */
export function invPhi(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  if (p === 0.5) return 0;
  return p <= 0.5 ? leftQuantile(Math.log(p)) : -leftQuantile(Math.log1p(-p));
}
