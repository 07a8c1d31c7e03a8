/**
 * Generalised hypergeometric functions pFq(a; b; z) by their series (DLMF 16.2.1), with derivatives in all arguments
 * summed alongside: each term is the previous one times a ratio, so its derivatives follow by the product rule, even past
 * the zeros of terminating series. Gauss's function left of −½ by Pfaff's transformation (DLMF 15.8.1), at 1 by Gauss's
 * sum (15.4.20); others on the unit circle by Levin's u-transformation.
 */
import { DomainError } from '../errors.ts';
import { digamma, lgamma } from './gamma.ts';

export interface Hypergeometric {
  readonly value: number;
  /** In the upper parameters, the lower ones and z. */
  readonly da: Float64Array;
  readonly db: Float64Array;
  readonly dz: number;
}

const maxTerms = 1_000_000;
/** The order of Levin's transformation. */
const levinOrder = 24;

type Numbers = readonly number[];

export function hypergeometricPFQ(name: string, a: Numbers, b: Numbers, z: number): Hypergeometric {
  checkConverges(name, a, b, z);
  const isGauss = a.length === 2 && b.length === 1;
  if (isGauss && z < -0.5) return byPfaff(name, a, b[0], z);
  const isOnCircle =
    Math.abs(z) === 1 && a.length === b.length + 1 && excessOf(a, b) > (z < 0 ? -1 : 0);
  if (isGauss && z === 1 && isOnCircle && !terminates(a)) return atOne(a, b[0]);
  return isOnCircle ? levinSum(a, b, z) : sum(name, a, b, z);
}

/** (1 − z)^−a; z below 1. */
export function hypergeometric1F0(name: string, a: number, z: number): Hypergeometric {
  if (!(Math.abs(z) < 1)) throw new DomainError(`${name}: z is ${z}, but must be between -1 and 1`);
  const value = (1 - z) ** -a;
  return {
    value,
    da: Float64Array.of(-value * Math.log1p(-z)),
    db: new Float64Array(),
    dz: (a * value) / (1 - z),
  };
}

const isNonPositiveInteger = (x: number): boolean => x <= 0 && Number.isInteger(x);
const terminates = (a: Numbers): boolean => a.some(isNonPositiveInteger);

const excessOf = (a: Numbers, b: Numbers): number =>
  b.reduce((s, x) => s + x, 0) - a.reduce((s, x) => s + x, 0);

function checkConverges(name: string, a: Numbers, b: Numbers, z: number): void {
  const fail = (what: string): never => {
    throw new DomainError(`${name}: ${what}`);
  };
  for (const x of [...a, ...b, z])
    if (!Number.isFinite(x)) fail(`an argument is ${x}, but must be finite`);
  const end = Math.max(Number.NEGATIVE_INFINITY, ...a.filter(isNonPositiveInteger));
  for (const lower of b)
    if (isNonPositiveInteger(lower) && !(end > lower))
      fail(`a lower parameter is ${lower}, but must not be 0 or a negative integer`);
  if (terminates(a) || a.length <= b.length || z === 0) return;
  if (a.length > b.length + 1) fail('the series does not converge');
  const excess = excessOf(a, b);
  const isGaussLeft = a.length === 2 && z < 0;
  const isInside = Math.abs(z) < 1 || isGaussLeft;
  if (!isInside && !(Math.abs(z) === 1 && excess > (z < 0 ? -1 : 0)))
    fail(`the series does not converge at z = ${z}`);
}

/** Calls `visit` with each term and its derivatives (upper, lower, z), until it returns false. */
function eachTerm(
  a: Numbers,
  b: Numbers,
  z: number,
  visit: (k: number, term: Float64Array) => boolean,
): void {
  const [p, q] = [a.length, b.length];
  const term = new Float64Array(2 + p + q);
  const next = new Float64Array(2 + p + q);
  term[0] = 1;
  for (let k = 0; visit(k, term); k++) {
    let ratio = z / (k + 1);
    for (let i = 0; i < p; i++) ratio *= a[i] + k;
    for (let j = 0; j < q; j++) ratio /= b[j] + k;
    for (let m = 0; m < term.length; m++) next[m] = term[m] * ratio;
    for (let i = 0; i < p; i++) {
      let rest = z / (k + 1);
      for (let m = 0; m < p; m++) if (m !== i) rest *= a[m] + k;
      for (let j = 0; j < q; j++) rest /= b[j] + k;
      next[1 + i] += term[0] * rest;
    }
    for (let j = 0; j < q; j++) next[1 + p + j] -= (term[0] * ratio) / (b[j] + k);
    next[1 + p + q] += z === 0 ? (k === 0 ? slopeAtZero(a, b) : 0) : (term[0] * ratio) / z;
    term.set(next);
  }
}

const slopeAtZero = (a: Numbers, b: Numbers): number =>
  a.reduce((x, y) => x * y, 1) / b.reduce((x, y) => x * y, 1);

function sum(name: string, a: Numbers, b: Numbers, z: number): Hypergeometric {
  const total = new Float64Array(2 + a.length + b.length);
  // a polynomial where the series would diverge: nothing is summed after its end
  const isPolynomial = terminates(a) && a.length > b.length && Math.abs(z) >= 1;
  let small = 0;
  let isDone = false;
  eachTerm(a, b, z, (k, term) => {
    if (isPolynomial && term[0] === 0) {
      isDone = true;
      return false;
    }
    let isSmall = true;
    for (const [m, value] of term.entries()) {
      total[m] += value;
      if (Math.abs(value) > 1e-17 * Math.abs(total[m]) && value !== 0) isSmall = false;
    }
    // terms may pass through 0 once; they grow again only before the parameters are passed
    small = isSmall ? small + 1 : 0;
    isDone = small > 3 && k > largestOf(a, b);
    if (!total.every(Number.isFinite)) throw new DomainError(`${name}: the series overflows`);
    return !isDone && k < maxTerms;
  });
  if (!isDone) throw new DomainError(`${name}: the series needs more than ${maxTerms} terms`);
  if (isPolynomial)
    for (const [i, x] of a.entries()) if (isNonPositiveInteger(x)) total[1 + i] = Number.NaN;
  return split(total, a.length, b.length);
}

const largestOf = (a: Numbers, b: Numbers): number => -Math.min(0, ...a, ...b);

function split(total: Float64Array, p: number, q: number): Hypergeometric {
  return {
    value: total[0],
    da: total.slice(1, 1 + p),
    db: total.slice(1 + p, 1 + p + q),
    dz: total[1 + p + q],
  };
}

/** Levin's u-transformation of the sums of values and of each derivative (Weniger 1989, *Comput. Phys. Rep.* 10, eq. 7.3-5). */
function levinSum(a: Numbers, b: Numbers, z: number): Hypergeometric {
  const size = 2 + a.length + b.length;
  const sums = new Float64Array(size);
  const terms: Float64Array[] = [];
  const partial: Float64Array[] = [];
  // the first terms may be far from the asymptotic behaviour
  const skip = Math.ceil(largestOf(a, b)) + 2;
  eachTerm(a, b, z, (k, term) => {
    for (let m = 0; m < size; m++) sums[m] += term[m];
    if (k >= skip) {
      terms.push(term.slice());
      partial.push(sums.slice());
    }
    return terms.length <= levinOrder;
  });
  const total = new Float64Array(size);
  for (let m = 0; m < size; m++) total[m] = levin(terms, partial, m, skip + 1);
  return split(total, a.length, b.length);
}

/** The estimate that the next order changes least: higher orders lose digits. */
function levin(
  terms: readonly Float64Array[],
  partial: readonly Float64Array[],
  m: number,
  shift: number,
): number {
  // a sum that does not depend on an argument has no terms for it
  if (terms.some((term) => term[m] === 0)) return partial[partial.length - 1][m];
  let best = Number.NaN;
  let least = Number.POSITIVE_INFINITY;
  let before = Number.NaN;
  for (let order = 3; order < terms.length; order++) {
    const estimate = levinOfOrder(terms, partial, { m, shift, order });
    const change = Math.abs(estimate - before);
    if (change < least) [best, least] = [estimate, change];
    before = estimate;
  }
  return best;
}

function levinOfOrder(
  terms: readonly Float64Array[],
  partial: readonly Float64Array[],
  { m, shift, order }: { readonly m: number; readonly shift: number; readonly order: number },
): number {
  let [top, bottom, binomial] = [0, 0, 1];
  for (let j = 0; j <= order; j++) {
    const weight =
      ((j % 2 === 0 ? 1 : -1) * binomial * ((shift + j) / (shift + order)) ** (order - 1)) /
      ((shift + j) * terms[j][m]);
    top += weight * partial[j][m];
    bottom += weight;
    binomial = (binomial * (order - j)) / (j + 1);
  }
  return top / bottom;
}

/** 2F1(a, b; c; z) = (1 − z)^−a 2F1(a, c − b; c; z / (z − 1)). */
function byPfaff(name: string, [a, b]: Numbers, c: number, z: number): Hypergeometric {
  const w = z / (z - 1);
  const inner = sum(name, [a, c - b], [c], w);
  const factor = (1 - z) ** -a;
  const [dA, dB] = inner.da;
  return {
    value: factor * inner.value,
    da: Float64Array.of(factor * (dA - Math.log1p(-z) * inner.value), -factor * dB),
    db: Float64Array.of(factor * (inner.db[0] + dB)),
    dz: factor * ((a / (1 - z)) * inner.value - inner.dz / (z - 1) ** 2),
  };
}

/** Γ(c) Γ(c − a − b) / Γ(c − a) Γ(c − b). */
function atOne([a, b]: Numbers, c: number): Hypergeometric {
  const gauss = (x: number, y: number, d: number) =>
    signOfGamma(d) *
    signOfGamma(d - x - y) *
    signOfGamma(d - x) *
    signOfGamma(d - y) *
    Math.exp(lgamma(d) + lgamma(d - x - y) - lgamma(d - x) - lgamma(d - y));
  const value = gauss(a, b, c);
  const common = digamma(c - a - b);
  const dz = c - a - b > 1 ? ((a * b) / c) * gauss(a + 1, b + 1, c + 1) : Number.POSITIVE_INFINITY;
  return {
    value,
    da: Float64Array.of(value * (digamma(c - a) - common), value * (digamma(c - b) - common)),
    db: Float64Array.of(value * (digamma(c) + common - digamma(c - a) - digamma(c - b))),
    dz,
  };
}

const signOfGamma = (x: number): number => (x > 0 || Math.floor(x) % 2 === 0 ? 1 : -1);
