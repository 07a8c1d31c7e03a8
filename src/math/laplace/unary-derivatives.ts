/** Functions of one real with three derivatives, by their names in the language (formulas: DLMF, chapters 4, 5 and 7). */
import { halfLogTwoPi } from '../special/constants.ts';
import { erf, erfc, invPhi, logPhi, logQuantile, normalDensity, phi } from '../special/erf.ts';
import { digamma, lgamma, tetragamma, tgamma, trigamma } from '../special/gamma.ts';
import { lambertW0, lambertWm1 } from '../special/lambert-w.ts';
import {
  invCloglog,
  invLogit,
  log1mExp,
  log1mInvLogit,
  log1pExp,
  logInvLogit,
  logit,
} from '../special/log-exp.ts';
import { polygamma } from '../special/polygamma.ts';
import type { Derivatives } from './taylor-tape.ts';

type Function = (x: number) => Derivatives;

const { LN2, LN10 } = Math;

/** k f(x). */
function scaled(k: number, [f, d1, d2, d3]: Derivatives): Derivatives {
  return [k * f, k * d1, k * d2, k * d3];
}

/** x to the power p. */
export function power(x: number, p: number): Derivatives {
  // check for a factor of 0 first, so that it is not multiplied by 0 to a negative power
  const term = (k: number, exponent: number) => (k === 0 ? 0 : k * x ** exponent);
  return [x ** p, term(p, p - 1), term(p * (p - 1), p - 2), term(p * (p - 1) * (p - 2), p - 3)];
}

const log: Function = (x) => [Math.log(x), 1 / x, -1 / x ** 2, 2 / x ** 3];

/** Of the derivative r(x) = 1 / (x + c) of a logarithm. */
const logOf = (f: number, r: number): Derivatives => [f, r, -r * r, 2 * r ** 3];

/** s (1 − s) = pq, the derivative of inv_logit, and that of it. */
function logisticParts(x: number): readonly [p: number, q: number, d: number, d2: number] {
  const p = invLogit(x);
  const q = invLogit(-x);
  return [p, q, p * q, p * q * (q - p)];
}

const gaussian = (k: number, x: number, f: number): Derivatives => {
  const d = k * Math.exp(-x * x);
  return [f, d, -2 * x * d, (4 * x * x - 2) * d];
};

const normalQuantile: Function = (x) => {
  const z = invPhi(x);
  const u = Math.exp(0.5 * z * z + halfLogTwoPi);
  return [z, u, z * u * u, u ** 3 * (1 + 2 * z * z)];
};

const arcSine = (f: number, x: number): Derivatives => {
  const r = 1 / Math.sqrt((1 - x) * (1 + x));
  return [f, r, x * r ** 3, r ** 3 + 3 * x * x * r ** 5];
};

/** w eʷ = x: w′ = w / (x (1 + w)), and what follows by differentiating w′ = e⁻ʷ / (1 + w). */
const lambert =
  (branch: (x: number) => number): Function =>
  (x) => {
    const w = branch(x);
    const [q, e] = [1 / (1 + w), Math.exp(-w)];
    const first = e * q;
    // with respect to w: of e⁻ʷ q it is −e⁻ʷ q (1 + q)
    const second = -first * first * (1 + q);
    const third = first ** 3 * (2 * (1 + q) ** 2 + q * q);
    return [w, first, second, third];
  };

/** The logistic function at a cubic (Bowling et al. 2009). */
const approximatePhi: Function = (x) => {
  const [u, du, ddu, dddu] = [
    0.07056 * x ** 3 + 1.5976 * x,
    0.21168 * x * x + 1.5976,
    0.42336 * x,
    0.42336,
  ];
  const [p, , d, d2] = logisticParts(u);
  const d3 = d * (1 - 6 * d);
  return [p, d * du, d2 * du * du + d * ddu, d3 * du ** 3 + 3 * d2 * du * ddu + d * dddu];
};

/** −Φ⁻¹(x / 2) / √2. */
const inverseErfc: Function = (x) => {
  const [z, d1, d2, d3] = normalQuantile(x / 2);
  return [-z / Math.SQRT2, -d1 / (2 * Math.SQRT2), -d2 / (4 * Math.SQRT2), -d3 / (8 * Math.SQRT2)];
};

const absolute: Function = (x) => [Math.abs(x), Math.sign(x), 0, 0];
const constant =
  (f: (x: number) => number): Function =>
  (x) => [f(x), 0, 0, 0];

export const unaryDerivatives: Readonly<Record<string, Function>> = {
  exp: (x) => [Math.exp(x), Math.exp(x), Math.exp(x), Math.exp(x)],
  exp2: (x) => [2 ** x, 2 ** x * LN2, 2 ** x * LN2 ** 2, 2 ** x * LN2 ** 3],
  expm1: (x) => [Math.expm1(x), Math.exp(x), Math.exp(x), Math.exp(x)],
  log,
  log2: (x) => [Math.log2(x), ...scaled(1 / LN2, log(x)).slice(1)] as unknown as Derivatives,
  log10: (x) => [Math.log10(x), ...scaled(1 / LN10, log(x)).slice(1)] as unknown as Derivatives,
  log1p: (x) => logOf(Math.log1p(x), 1 / (1 + x)),
  log1m: (x) => logOf(Math.log1p(-x), 1 / (x - 1)),
  sqrt: (x) => power(x, 0.5),
  cbrt: (x) => {
    const c = Math.cbrt(x);
    return [c, 1 / (3 * c * c), -2 / (9 * c ** 5), 10 / (27 * c ** 8)];
  },
  square: (x) => [x * x, 2 * x, 2, 0],
  inv: (x) => power(x, -1),
  inv_sqrt: (x) => power(x, -0.5),
  inv_square: (x) => power(x, -2),
  logit: (x) => [
    logit(x),
    1 / x + 1 / (1 - x),
    1 / (1 - x) ** 2 - 1 / x ** 2,
    2 / x ** 3 + 2 / (1 - x) ** 3,
  ],
  inv_logit: (x) => {
    const [p, , d, d2] = logisticParts(x);
    return [p, d, d2, d * (1 - 6 * d)];
  },
  log_inv_logit: (x) => {
    const [, q, d, d2] = logisticParts(x);
    return [logInvLogit(x), q, -d, -d2];
  },
  log1m_inv_logit: (x) => {
    const [p, , d, d2] = logisticParts(x);
    return [log1mInvLogit(x), -p, -d, -d2];
  },
  log1p_exp: (x) => {
    const [p, , d, d2] = logisticParts(x);
    return [log1pExp(x), p, d, d2];
  },
  log1m_exp: (x) => {
    const u = -1 / Math.expm1(-x);
    const d = u * (1 - u);
    return [log1mExp(x), u, d, d * (1 - 2 * u)];
  },
  inv_cloglog: (x) => {
    const e = Math.exp(x);
    const d = Math.exp(x - e);
    return [invCloglog(x), d, d * (1 - e), d * ((1 - e) ** 2 - e)];
  },
  Phi: (x) => {
    const d = normalDensity(x);
    return [phi(x), d, -x * d, (x * x - 1) * d];
  },
  inv_Phi: normalQuantile,
  std_normal_qf: normalQuantile,
  std_normal_log_qf: (x) => {
    const z = logQuantile(x);
    const m = Math.exp(logPhi(z) + 0.5 * z * z + halfLogTwoPi);
    const dm = 1 + z * m;
    return [z, m, dm * m, m * ((m + z * dm) * m + dm * dm)];
  },
  /** log Phi. */
  std_normal_lcdf: (x) => {
    const f = logPhi(x);
    const m = Math.exp(-0.5 * x * x - halfLogTwoPi - f);
    const dm = -m * (x + m);
    return [f, m, dm, -dm * (x + m) - m * (1 + dm)];
  },
  erf: (x) => gaussian(2 / Math.sqrt(Math.PI), x, erf(x)),
  erfc: (x) => gaussian(-2 / Math.sqrt(Math.PI), x, erfc(x)),
  lgamma: (x) => [lgamma(x), digamma(x), trigamma(x), tetragamma(x)],
  digamma: (x) => [digamma(x), trigamma(x), tetragamma(x), polygamma(3, x)],
  trigamma: (x) => [trigamma(x), tetragamma(x), polygamma(3, x), polygamma(4, x)],
  tgamma: (x) => {
    const f = tgamma(x);
    const [a, b, c] = [digamma(x), trigamma(x), tetragamma(x)];
    return [f, f * a, f * (a * a + b), f * (a ** 3 + 3 * a * b + c)];
  },
  sin: (x) => [Math.sin(x), Math.cos(x), -Math.sin(x), -Math.cos(x)],
  cos: (x) => [Math.cos(x), -Math.sin(x), -Math.cos(x), Math.sin(x)],
  tan: (x) => {
    const t = Math.tan(x);
    const d = 1 + t * t;
    return [t, d, 2 * t * d, 2 * d * (1 + 3 * t * t)];
  },
  asin: (x) => arcSine(Math.asin(x), x),
  acos: (x) => {
    const [, d1, d2, d3] = arcSine(0, x);
    return [Math.acos(x), -d1, -d2, -d3];
  },
  atan: (x) => {
    const r = 1 / (1 + x * x);
    return [Math.atan(x), r, -2 * x * r * r, (6 * x * x - 2) * r ** 3];
  },
  sinh: (x) => [Math.sinh(x), Math.cosh(x), Math.sinh(x), Math.cosh(x)],
  cosh: (x) => [Math.cosh(x), Math.sinh(x), Math.cosh(x), Math.sinh(x)],
  tanh: (x) => {
    const t = Math.tanh(x);
    const d = 1 / Math.cosh(x) ** 2;
    return [t, d, -2 * t * d, d * (6 * t * t - 2)];
  },
  asinh: (x) => {
    const r = 1 / Math.hypot(x, 1);
    return [Math.asinh(x), r, -x * r ** 3, (2 * x * x - 1) * r ** 5];
  },
  acosh: (x) => {
    const r = 1 / Math.sqrt((x - 1) * (x + 1));
    return [Math.acosh(x), r, -x * r ** 3, (2 * x * x + 1) * r ** 5];
  },
  atanh: (x) => {
    const r = 1 / ((1 - x) * (1 + x));
    return [Math.atanh(x), r, 2 * x * r * r, (2 + 6 * x * x) * r ** 3];
  },
  abs: absolute,
  fabs: absolute,
  floor: constant(Math.floor),
  ceil: constant(Math.ceil),
  trunc: constant(Math.trunc),
  round: constant((x) => Math.sign(x) * Math.round(Math.abs(x))),
  lambert_w0: lambert(lambertW0),
  lambert_wm1: lambert(lambertWm1),
  Phi_approx: approximatePhi,
  inv_erfc: inverseErfc,
  step: constant((x) => (x < 0 ? 0 : 1)),
};
