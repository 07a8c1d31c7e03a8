/** Functions of two or three reals, element by element (Stan functions reference, "Real-valued basic functions"). */
import { beta, choose, lbeta, lbetaDa, lchoose, lchooseDk, lchooseDn } from '../../special/beta.ts';
import { digamma, lgamma, lmgamma, lmgammaDx } from '../../special/gamma.ts';
import { invLogit, log1mExp, logDiffExp, logSumExp2, multiplyLog } from '../../special/log-exp.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { ternaryForms } from '../machinery/ternary-forms.ts';
import { type Binary, binaryForms } from '../machinery/vectorise-binary.ts';

/** fmin and fmax ignore a NaN if the other argument is a number, as in C. */
function fmin(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return b < a ? b : a;
}
function fmax(a: number, b: number): number {
  if (Number.isNaN(a)) return b;
  return b > a ? b : a;
}

const chooseLogBinary: Binary = { f: lchoose, da: lchooseDn, db: lchooseDk };
const multiplyLogBinary: Binary = {
  f: multiplyLog,
  da: (_, b) => Math.log(b),
  db: (a, b) => (a === 0 ? 0 : a / b),
};

const reals: Readonly<Record<string, Binary>> = {
  fmin: {
    f: fmin,
    da: (a, _, fx) => (fx === a ? 1 : 0),
    db: (a, _, fx) => (fx === a ? 0 : 1),
  },
  fmax: {
    f: fmax,
    da: (a, _, fx) => (fx === a ? 1 : 0),
    db: (a, _, fx) => (fx === a ? 0 : 1),
  },
  fmod: { f: (a, b) => a % b, da: () => 1, db: (a, b) => -Math.trunc(a / b) },
  fdim: {
    f: (a, b) => (a > b ? a - b : Number.isNaN(a - b) ? Number.NaN : 0),
    da: (a, b) => (a > b ? 1 : 0),
    db: (a, b) => (a > b ? -1 : 0),
  },
  atan2: {
    f: Math.atan2,
    da: (a, b) => b / (a * a + b * b),
    db: (a, b) => -a / (a * a + b * b),
  },
  hypot: {
    f: (a, b) => Math.hypot(a, b),
    da: (a, _, fx) => a / fx,
    db: (_, b, fx) => b / fx,
  },
  lbeta: { f: lbeta, da: (a, b) => lbetaDa(a, b), db: (a, b) => lbetaDa(b, a) },
  beta: {
    f: beta,
    da: (a, b, fx) => fx * lbetaDa(a, b),
    db: (a, b, fx) => fx * lbetaDa(b, a),
  },
  lchoose: chooseLogBinary,
  binomial_coefficient_log: chooseLogBinary,
  multiply_log: multiplyLogBinary,
  lmultiply: multiplyLogBinary,
  log_sum_exp: {
    f: logSumExp2,
    da: (a, b) => (a === b ? 0.5 : invLogit(a - b)),
    db: (a, b) => (a === b ? 0.5 : invLogit(b - a)),
  },
  // d log(eᵃ − eᵇ): eᵃ / (eᵃ − eᵇ) and −eᵇ / (eᵃ − eᵇ)
  log_diff_exp: {
    f: logDiffExp,
    da: (a, b) => -1 / Math.expm1(b - a),
    db: (a, b) => -1 / Math.expm1(a - b),
  },
  log_inv_logit_diff: {
    // log(inv_logit(a) − inv_logit(b)) = a + log(1 − e^{b − a}) − log1p(eᵃ) − log1p(eᵇ)
    f: (a, b) => log1mExp(b - a) + Math.log(invLogit(a)) + Math.log(invLogit(-b)),
    da: (a, b) => -1 / Math.expm1(b - a) - invLogit(a),
    db: (a, b) => -1 / Math.expm1(a - b) - invLogit(b),
  },
  log_rising_factorial: {
    f: (a, b) => lgamma(a + b) - lgamma(a),
    da: (a, b) => digamma(a + b) - digamma(a),
    db: (a, b) => digamma(a + b),
  },
  log_falling_factorial: {
    f: (a, b) => lgamma(a + 1) - lgamma(a - b + 1),
    da: (a, b) => digamma(a + 1) - digamma(a - b + 1),
    db: (a, b) => digamma(a - b + 1),
  },
};

const unused = () => Number.NaN;

/** The first argument is an integer. */
const intFirst: Readonly<Record<string, Binary>> = {
  lmgamma: { f: lmgamma, da: unused, db: (d, x) => lmgammaDx(d, x) },
  binary_log_loss: {
    f: (y, p) => -Math.log(y === 1 ? p : 1 - p),
    da: unused,
    db: (y, p) => (y === 1 ? -1 / p : 1 / (1 - p)),
  },
};

/** x (x + 1) … (x + n − 1); the derivative is the sum over factors of the product of the others. */
function risingFactorial(x: number, n: number): number {
  let product = 1;
  for (let k = 0; k < n; k++) product *= x + k;
  return product;
}
function risingFactorialDx(x: number, n: number): number {
  let product = 1;
  let derivative = 0;
  for (let k = 0; k < n; k++) {
    derivative = derivative * (x + k) + product;
    product *= x + k;
  }
  return derivative;
}

/** The second argument is an integer. */
const intSecond: Readonly<Record<string, Binary>> = {
  ldexp: { f: (x, n) => x * 2 ** n, da: (_, n) => 2 ** n, db: unused },
  rising_factorial: { f: risingFactorial, da: risingFactorialDx, db: unused },
  falling_factorial: {
    f: (x, n) => risingFactorial(x - n + 1, n),
    da: (x, n) => risingFactorialDx(x - n + 1, n),
    db: unused,
  },
};

/** Both arguments and the result are integers. */
const ints: Readonly<Record<string, (a: number, b: number) => number>> = {
  choose,
  rising_factorial: risingFactorial,
  falling_factorial: (x, n) => risingFactorial(x - n + 1, n),
};

function intForms(
  name: string,
  f: (a: number, b: number) => number,
): Record<string, LibraryFunction> {
  return {
    [`${name}__ii`]: f,
    [`${name}__Ii`]: (a: Int32Array, b: number) => a.map((x) => f(x, b)),
    [`${name}__iI`]: (a: number, b: Int32Array) => b.map((y) => f(a, y)),
    [`${name}__II`]: (a: Int32Array, b: Int32Array) => a.map((x, i) => f(x, b[i])),
  };
}

const part: Record<string, LibraryFunction> = ternaryForms('fma', (a, b, c) => [
  a * b + c,
  b,
  a,
  1,
]);
for (const [name, binary] of Object.entries(reals)) Object.assign(part, binaryForms(name, binary));
for (const [name, binary] of Object.entries(intFirst)) {
  Object.assign(part, binaryForms(name, binary, ['int', 'real']));
}
for (const [name, binary] of Object.entries(intSecond)) {
  Object.assign(part, binaryForms(name, binary, ['real', 'int']));
}
for (const [name, f] of Object.entries(ints)) Object.assign(part, intForms(name, f));

export const binaryPart: LibraryPart = part;
