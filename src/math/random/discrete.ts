/** Random draws from discrete distributions, one number at a time. */
import { lgamma } from '../special/gamma.ts';
import { drawBeta, drawGamma } from './continuous.ts';
import type { Rng } from './rng.ts';

/** The largest mean of a Poisson draw, as in Stan: results must fit an int. */
export const maxPoissonMean = 2 ** 30;

/**
 * Poisson: multiplication of uniforms for small means (Knuth, TAOCP 2, 3.4.1), transformed rejection for large ones
 * (Hörmann 1993, "The transformed rejection method for generating Poisson random variables", algorithm PTRS).
 */
export function drawPoisson(rng: Rng, mean: number): number {
  if (mean < 10) {
    const limit = Math.exp(-mean);
    let k = 0;
    for (let p = rng.uniform(); p > limit; p *= rng.uniform()) k++;
    return k;
  }
  const logMean = Math.log(mean);
  const b = 0.931 + 2.53 * Math.sqrt(mean);
  const a = -0.059 + 0.02483 * b;
  const invAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const vr = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const u = rng.uniform() - 0.5;
    const v = rng.uniform();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= vr) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const accept = Math.log((v * invAlpha) / (a / (us * us) + b));
    if (accept <= k * logMean - mean - lgamma(k + 1)) return k;
  }
}

/**
 * Binomial: inversion by sequential search while the mean is small, transformed rejection above (Hörmann 1993, "The
 * generation of binomial random variates", algorithm BTRS).
 */
export function drawBinomial(rng: Rng, n: number, p: number): number {
  if (p > 0.5) return n - drawBinomial(rng, n, 1 - p);
  if (p === 0 || n === 0) return 0;
  return n * p < 10 ? searchBinomial(rng, n, p) : rejectBinomial(rng, n, p);
}

function searchBinomial(rng: Rng, n: number, p: number): number {
  const odds = p / (1 - p);
  for (;;) {
    let mass = Math.exp(n * Math.log1p(-p));
    let u = rng.uniform();
    for (let k = 0; k <= n; k++) {
      if (u < mass) return k;
      u -= mass;
      mass *= (odds * (n - k)) / (k + 1);
    }
    // rounding put u beyond the last mass: draw again
  }
}

function rejectBinomial(rng: Rng, n: number, p: number): number {
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const c = n * p + 0.5;
  const vr = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * spread;
  const logOdds = Math.log(p / (1 - p));
  const mode = Math.floor((n + 1) * p);
  const h = lgamma(mode + 1) + lgamma(n - mode + 1);
  for (;;) {
    const u = rng.uniform() - 0.5;
    let v = rng.uniform();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + c);
    if (us >= 0.07 && v <= vr) return k;
    if (k < 0 || k > n) continue;
    v = Math.log((v * alpha) / (a / (us * us) + b));
    if (v <= h - lgamma(k + 1) - lgamma(n - k + 1) + (k - mode) * logOdds) return k;
  }
}

/** 1-based category with probabilities theta, by inversion. */
export function drawCategorical(rng: Rng, theta: ArrayLike<number>): number {
  let u = rng.uniform();
  const last = theta.length - 1;
  for (let k = 0; k < last; k++) {
    u -= theta[k];
    if (u < 0) return k + 1;
  }
  return last + 1;
}

/** Counts in each category of n draws: binomials of the remaining draws. */
export function drawMultinomial(rng: Rng, theta: ArrayLike<number>, n: number): Int32Array {
  const counts = new Int32Array(theta.length);
  let left = n;
  let mass = 1;
  for (let k = 0; k < theta.length - 1 && left > 0; k++) {
    const p = mass > 0 ? Math.min(1, theta[k] / mass) : 0;
    counts[k] = drawBinomial(rng, left, p);
    left -= counts[k];
    mass -= theta[k];
  }
  counts[theta.length - 1] = left;
  return counts;
}

/** Negative binomial of mean mu and precision phi: a gamma mixture of Poissons. */
export function drawNegBinomial2(rng: Rng, mu: number, phi: number): number {
  return drawPoisson(rng, (drawGamma(rng, phi) * mu) / phi);
}

export function drawBetaBinomial(rng: Rng, n: number, alpha: number, beta: number): number {
  return drawBinomial(rng, n, drawBeta(rng, alpha, beta));
}

/** White balls among n drawn from a white and b black ones, one at a time. */
export function drawHypergeometric(rng: Rng, n: number, a: number, b: number): number {
  let white = a;
  let total = a + b;
  for (let k = 0; k < n; k++) {
    if (rng.uniform() * total < white) white--;
    total--;
  }
  return a - white;
}
