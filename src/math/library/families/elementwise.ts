/** Functions of one real applied element by element (Stan functions reference, "Real-valued basic functions"). */
import { halfLogTwoPi } from '../../special/constants.ts';
import {
  erf,
  erfc,
  erfDx,
  invPhi,
  logPhi,
  logQuantile,
  normalDensity,
  phi,
  phiApprox,
} from '../../special/erf.ts';
import { digamma, lgamma, tetragamma, tgamma, trigamma } from '../../special/gamma.ts';
import {
  invCloglog,
  invLogit,
  log1mExp,
  log1mInvLogit,
  log1pExp,
  logInvLogit,
  logit,
} from '../../special/log-exp.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { stepForms, type Unary, unaryForms } from '../machinery/vectorise-unary.ts';

const { LN2, LN10 } = Math;

const differentiable: Readonly<Record<string, Unary>> = {
  // powers and logarithms
  exp: { f: Math.exp, df: (_, fx) => fx },
  exp2: { f: (x) => 2 ** x, df: (_, fx) => fx * LN2 },
  expm1: { f: Math.expm1, df: (_, fx) => fx + 1 },
  log: { f: Math.log, df: (x) => 1 / x },
  log2: { f: Math.log2, df: (x) => 1 / (x * LN2) },
  log10: { f: Math.log10, df: (x) => 1 / (x * LN10) },
  log1p: { f: Math.log1p, df: (x) => 1 / (1 + x) },
  log1m: { f: (x) => Math.log1p(-x), df: (x) => 1 / (x - 1) },
  sqrt: { f: Math.sqrt, df: (_, fx) => 0.5 / fx },
  cbrt: { f: Math.cbrt, df: (_, fx) => 1 / (3 * fx * fx) },
  square: { f: (x) => x * x, df: (x) => 2 * x },
  inv: { f: (x) => 1 / x, df: (_, fx) => -fx * fx },
  inv_sqrt: { f: (x) => 1 / Math.sqrt(x), df: (x, fx) => (-0.5 * fx) / x },
  inv_square: { f: (x) => 1 / (x * x), df: (x, fx) => (-2 * fx) / x },
  // links
  logit: { f: logit, df: (x) => 1 / (x * (1 - x)) },
  // 1 − f loses digits only near 1
  inv_logit: { f: invLogit, df: (x, fx) => fx * (fx < 0.9 ? 1 - fx : invLogit(-x)) },
  log_inv_logit: { f: logInvLogit, df: (x) => invLogit(-x) },
  log1m_inv_logit: { f: log1mInvLogit, df: (x) => -invLogit(x) },
  log1p_exp: { f: log1pExp, df: (x) => invLogit(x) },
  log1m_exp: { f: log1mExp, df: (x) => -1 / Math.expm1(-x) },
  inv_cloglog: { f: invCloglog, df: (x) => Math.exp(x - Math.exp(x)) },
  // normal distribution
  Phi: { f: phi, df: normalDensity },
  Phi_approx: {
    f: phiApprox,
    df: (x, fx) => fx * phiApprox(-x) * (0.21168 * x * x + 1.5976),
  },
  inv_Phi: { f: invPhi, df: (_, fx) => Math.exp(0.5 * fx * fx + halfLogTwoPi) },
  std_normal_log_qf: {
    f: logQuantile,
    df: (_, fx) => Math.exp(logPhi(fx) + 0.5 * fx * fx + halfLogTwoPi),
  },
  std_normal_qf: { f: invPhi, df: (_, fx) => Math.exp(0.5 * fx * fx + halfLogTwoPi) },
  erf: { f: erf, df: erfDx },
  erfc: { f: erfc, df: (x) => -erfDx(x) },
  // gamma family
  lgamma: { f: lgamma, df: digamma },
  tgamma: { f: tgamma, df: (x, fx) => fx * digamma(x) },
  digamma: { f: digamma, df: trigamma },
  trigamma: { f: trigamma, df: tetragamma },
  // trigonometric and hyperbolic
  sin: { f: Math.sin, df: Math.cos },
  cos: { f: Math.cos, df: (x) => -Math.sin(x) },
  tan: { f: Math.tan, df: (_, fx) => 1 + fx * fx },
  asin: { f: Math.asin, df: (x) => 1 / Math.sqrt((1 - x) * (1 + x)) },
  acos: { f: Math.acos, df: (x) => -1 / Math.sqrt((1 - x) * (1 + x)) },
  atan: { f: Math.atan, df: (x) => 1 / (1 + x * x) },
  sinh: { f: Math.sinh, df: Math.cosh },
  cosh: { f: Math.cosh, df: Math.sinh },
  tanh: { f: Math.tanh, df: (x) => 1 / Math.cosh(x) ** 2 },
  asinh: { f: Math.asinh, df: (x) => 1 / Math.hypot(x, 1) },
  acosh: { f: Math.acosh, df: (x) => 1 / Math.sqrt((x - 1) * (x + 1)) },
  atanh: { f: Math.atanh, df: (x) => 1 / ((1 - x) * (1 + x)) },
  // absolute values: derivative 0 at 0
  abs: { f: Math.abs, df: Math.sign },
  fabs: { f: Math.abs, df: Math.sign },
};

/** Ties of `round` go away from zero, as in C and Stan. */
function roundAway(x: number): number {
  return x < 0 ? -Math.round(-x) : Math.round(x);
}

const piecewiseConstant: Readonly<Record<string, (x: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundAway,
  trunc: Math.trunc,
  step: (x) => (x < 0 ? 0 : 1),
};

/** Forms on integers, whose result is an integer. */
const integerForms: LibraryPart = {
  abs__i: (x: number) => Math.abs(x),
  abs__I: (x: Int32Array) => x.map((e) => Math.abs(e)),
  int_step__i: (x: number) => (x > 0 ? 1 : 0),
  int_step__r: (x: number) => (x > 0 ? 1 : 0),
  is_inf__r: (x: number) => (Math.abs(x) === Infinity ? 1 : 0),
  is_nan__r: (x: number) => (Number.isNaN(x) ? 1 : 0),
};

const part: Record<string, LibraryFunction> = { ...integerForms };
for (const [name, unary] of Object.entries(differentiable)) {
  Object.assign(part, unaryForms(name, unary));
}
for (const [name, f] of Object.entries(piecewiseConstant)) Object.assign(part, stepForms(name, f));

export const elementwisePart: LibraryPart = part;
