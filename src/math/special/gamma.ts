/** The gamma function family: lgamma, tgamma, digamma, trigamma, log rising factorials. */
import { halfLogTwoPi } from './constants.ts';

/**
 * log Γ(2 + z) / z for |z| ≤ 1/2, ascending powers: Chebyshev economisation (mpmath, 50 digits) of the Taylor series
 * DLMF 5.7.3, whose error is 4e-17. Near 1 and 2, where log Γ vanishes, it keeps relative accuracy.
 */
const nearTwo = [
  0.42278433509846713, 0.32246703342411215, -0.06735230105319759, 0.02058080842799012,
  -0.0073855510287714685, 0.0028905103192621994, -0.0011927539062598581, 0.0005096698119432116,
  -0.00022315489463809116, 9.945371368841632e-5, -4.492443535898787e-5, 2.0535581020500523e-5,
  -9.452938473714576e-6, 4.2553702843110484e-6, -1.982565620739196e-6, 1.2159620602745015e-6,
  -5.72865310850801e-7,
];

/** B_{2k} / (2k (2k − 1)), k = 1…8: the Stirling series, DLMF 5.11.1. */
const stirling = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
];

function lgammaNearTwo(z: number): number {
  let p = 0;
  for (let k = nearTwo.length - 1; k >= 0; k--) p = p * z + nearTwo[k];
  return p * z;
}

/** Σ B_{2k} / (2k (2k − 1) x^{2k−1}): the remainder of log Γ(x) after Stirling's leading terms, for x ≥ 10. */
export function stirlingCorrection(x: number): number {
  const inv = 1 / x;
  const inv2 = inv * inv;
  let s = 0;
  for (let k = stirling.length - 1; k >= 0; k--) s = s * inv2 + stirling[k];
  return s * inv;
}

/**
 * log |Γ(x)|. Stirling (DLMF 5.11.1) from 10, the recurrence 5.5.1 down to [1.5, 2.5], reflection 5.5.3 below 0.
 * +∞ at 0 and the negative integers.
 */
export function lgamma(x: number): number {
  if (x >= 10) {
    if (x === Infinity) return Infinity;
    return (x - 0.5) * Math.log(x) - x + halfLogTwoPi + stirlingCorrection(x);
  }
  if (x >= 2.5) {
    let product = 1;
    while (x >= 2.5) {
      x -= 1;
      product *= x;
    }
    return Math.log(product) + lgammaNearTwo(x - 2);
  }
  if (x >= 1.5) return lgammaNearTwo(x - 2);
  // Γ(2 + z) = (1 + z) Γ(1 + z)
  if (x >= 0.5) return lgammaNearTwo(x - 1) - Math.log1p(x - 1);
  if (x > 0) return lgammaNearTwo(x) - Math.log1p(x) - Math.log(x);
  if (Number.isNaN(x)) return x;
  if (x === Math.floor(x)) return Infinity;
  return Math.log(Math.PI / Math.abs(sinPi(x))) - lgamma(1 - x);
}

/** sin(πx), reduced first so that it is exact at the integers. */
function sinPi(x: number): number {
  const r = x - 2 * Math.round(x / 2);
  if (r > 0.5) return Math.sin(Math.PI * (1 - r));
  if (r < -0.5) return Math.sin(Math.PI * (-1 - r));
  return Math.sin(Math.PI * r);
}

/** Γ(x): products for small integers, exp(log Γ) otherwise, reflection below 0; NaN at the poles. */
export function tgamma(x: number): number {
  if (x === 0) return 1 / x;
  if (x < 0) {
    if (x === Math.floor(x)) return Number.NaN;
    return Math.PI / (sinPi(x) * tgamma(1 - x));
  }
  if (x > 171.7) return Infinity;
  if (x < 20) {
    // shift into [1, 2] with products, which are exact for integers
    let product = 1;
    while (x > 2) {
      x -= 1;
      product *= x;
    }
    while (x < 1) {
      product /= x;
      x += 1;
    }
    return product * Math.exp(lgamma(x));
  }
  // two halves of the power keep it below overflow until Γ itself overflows
  const half = x ** (0.5 * x - 0.25);
  return half * Math.exp(-x + halfLogTwoPi + stirlingCorrection(x)) * half;
}

/** log x − 1/(2x) − ψ(x) for x ≥ 10: the tail of DLMF 5.11.2. */
export function digammaTail(x: number): number {
  const inv2 = 1 / (x * x);
  return (
    inv2 *
    (1 / 12 -
      inv2 *
        (1 / 120 -
          inv2 *
            (1 / 252 -
              inv2 * (1 / 240 - inv2 * (1 / 132 - inv2 * (691 / 32760 - inv2 * (1 / 12)))))))
  );
}

/** ψ(x) = d log Γ(x) / dx: DLMF 5.11.2 from 10, recurrence 5.5.2 below, reflection 5.5.4 for x < 0. NaN at the poles. */
export function digamma(x: number): number {
  if (x <= 0) {
    if (x === Math.floor(x)) return Number.NaN;
    return digamma(1 - x) - Math.PI / Math.tan(Math.PI * (x - Math.floor(x)));
  }
  let shift = 0;
  while (x < 10) {
    shift -= 1 / x;
    x += 1;
  }
  return shift + Math.log(x) - 0.5 / x - digammaTail(x);
}

/** ψ′(x): DLMF 5.15.8 from 10, recurrence 5.15.5 below, reflection 5.15.6 for x < 0. +∞ at the poles. */
export function trigamma(x: number): number {
  if (x <= 0) {
    if (x === Math.floor(x)) return Infinity;
    const s = Math.PI / sinPi(x);
    return s * s - trigamma(1 - x);
  }
  let shift = 0;
  while (x < 10) {
    shift += 1 / (x * x);
    x += 1;
  }
  const inv = 1 / x;
  const inv2 = inv * inv;
  const tail =
    inv2 *
    (1 / 6 -
      inv2 *
        (1 / 30 -
          inv2 *
            (1 / 42 - inv2 * (1 / 30 - inv2 * (5 / 66 - inv2 * (691 / 2730 - inv2 * (7 / 6)))))));
  return shift + inv * (1 + 0.5 * inv + tail);
}

/** ψ″(x) for x > 0: derivative of DLMF 5.15.8 from 15, recurrence below. */
export function tetragamma(x: number): number {
  if (x <= 0) {
    if (x === Math.floor(x)) return Number.NaN;
    // differentiating the reflection of ψ′
    const s = sinPi(x);
    const c = Math.cos(Math.PI * x);
    return tetragamma(1 - x) - (2 * Math.PI ** 3 * c) / (s * s * s);
  }
  let shift = 0;
  while (x < 15) {
    shift -= 2 / (x * x * x);
    x += 1;
  }
  const inv = 1 / x;
  const inv2 = inv * inv;
  const tail =
    inv2 *
    (1 / 2 -
      inv2 * (1 / 6 - inv2 * (1 / 6 - inv2 * (3 / 10 - inv2 * (5 / 6 - inv2 * (691 / 210))))));
  return shift - inv2 * (1 + inv + tail);
}

/** log of the d-variate gamma function, log Γ_d(x): Stan functions reference, `lmgamma`; DLMF 35.3.4. */
export function lmgamma(d: number, x: number): number {
  let s = 0.25 * d * (d - 1) * Math.log(Math.PI);
  for (let j = 0; j < d; j++) s += lgamma(x - 0.5 * j);
  return s;
}

/** d/dx of {@link lmgamma}. */
export function lmgammaDx(d: number, x: number): number {
  let s = 0;
  for (let j = 0; j < d; j++) s += digamma(x - 0.5 * j);
  return s;
}

/**
 * log Γ(x + n) − log Γ(x) for x > 0, x + n > 0. For large x, Stirling's series of the difference, as subtracting
 * two log Γ of size x log x loses digits as x grows.
 */
export function logRisingRatio(x: number, n: number): number {
  if (n === 0) return 0;
  if (isSmallCount(n)) {
    let product = x;
    for (let k = 1; k < n; k++) product *= x + k;
    if (product < Infinity) return Math.log(product);
  }
  if (x < 10 || x + n < 10) return lgamma(x + n) - lgamma(x);
  return (
    n * Math.log(x) +
    (x + n - 0.5) * Math.log1p(n / x) -
    n +
    stirlingCorrection(x + n) -
    stirlingCorrection(x)
  );
}

/** Up to this count, products and sums of n terms are cheaper than two gamma functions. */
function isSmallCount(n: number): boolean {
  return n > 0 && n <= 16 && n === Math.floor(n);
}

/** ψ(x + n) − ψ(x) for x > 0: the sum 1/x + … + 1/(x + n − 1) (DLMF 5.5.2) for small integers. */
export function digammaDifference(x: number, n: number): number {
  if (n === 0) return 0;
  if (!isSmallCount(n)) return digamma(x + n) - digamma(x);
  let sum = 1 / x;
  for (let k = 1; k < n; k++) sum += 1 / (x + k);
  return sum;
}

const logFactorials = Float64Array.from({ length: 256 }, (_, k) => lgamma(k + 1));

/** log n! for an integer n ≥ 0. */
export function logFactorial(n: number): number {
  return n < 256 ? logFactorials[n] : lgamma(n + 1);
}
