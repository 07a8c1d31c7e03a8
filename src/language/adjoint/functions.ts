/** Functions of scalars that both sweeps write inline: those of fused kernels, and more from the library. */
import { type InlineFunction, inlineFunctions } from '../emit/derivatives.ts';

type Partial = (value: string, x: string) => string;

/** The library's function on numbers, with the partial derivative as text. */
function ofLibrary(name: string, partial: Partial, ...uses: string[]): InlineFunction {
  const key = `${name}__r`;
  return { value: (x) => `${key}(${x})`, partials: [partial], uses: [key, ...uses] };
}

function ofMath(name: string, partial: Partial): InlineFunction {
  return { value: (x) => `Math.${name}(${x})`, partials: [partial] };
}

const extreme = (name: string): InlineFunction => ({
  value: (a, b) => `${name}__rr(${a}, ${b})`,
  partials: [(t, a) => `(${t} === ${a} ? 1 : 0)`, (t, a) => `(${t} === ${a} ? 0 : 1)`],
  uses: [`${name}__rr`],
});

const multiplyLog: InlineFunction = {
  value: (a, b) => `multiply_log__rr(${a}, ${b})`,
  partials: [(_, _a, b) => `Math.log(${b})`, (_, a, b) => `(${a} === 0 ? 0 : ${a} / ${b})`],
  uses: ['multiply_log__rr'],
};

const absolute = ofMath('abs', (_, x) => `Math.sign(${x})`);

const more: Readonly<Record<string, InlineFunction>> = {
  exp: { value: (x) => `$exp(${x})`, partials: [(t) => t], uses: ['$exp'] },
  abs: absolute,
  fabs: absolute,
  exp2: ofLibrary('exp2', (t) => `${t} * ${Math.LN2}`),
  log2: ofMath('log2', (_, x) => `1 / (${x} * ${Math.LN2})`),
  log10: ofMath('log10', (_, x) => `1 / (${x} * ${Math.LN10})`),
  log1m: {
    value: (x) => `Math.log1p(-${x})`,
    partials: [(_, x) => `1 / (${x} - 1)`],
  },
  cbrt: ofMath('cbrt', (t) => `1 / (3 * ${t} * ${t})`),
  inv_sqrt: { value: (x) => `1 / Math.sqrt(${x})`, partials: [(t, x) => `-0.5 * ${t} / ${x}`] },
  inv_square: { value: (x) => `1 / (${x} * ${x})`, partials: [(t, x) => `-2 * ${t} / ${x}`] },
  logit: ofLibrary('logit', (_, x) => `1 / (${x} * (1 - ${x}))`),
  log_inv_logit: ofLibrary('log_inv_logit', (_, x) => `inv_logit__r(-${x})`, 'inv_logit__r'),
  log1m_inv_logit: ofLibrary('log1m_inv_logit', (_, x) => `-inv_logit__r(${x})`, 'inv_logit__r'),
  log1p_exp: ofLibrary('log1p_exp', (_, x) => `inv_logit__r(${x})`, 'inv_logit__r'),
  log1m_exp: ofLibrary('log1m_exp', (_, x) => `-1 / Math.expm1(-${x})`),
  inv_cloglog: ofLibrary('inv_cloglog', (_, x) => `Math.exp(${x} - Math.exp(${x}))`),
  Phi: ofLibrary('Phi', (_, x) => `${1 / Math.sqrt(2 * Math.PI)} * Math.exp(-0.5 * ${x} * ${x})`),
  lgamma: ofLibrary('lgamma', (_, x) => `digamma__r(${x})`, 'digamma__r'),
  digamma: ofLibrary('digamma', (_, x) => `trigamma__r(${x})`, 'trigamma__r'),
  tan: ofMath('tan', (t) => `1 + ${t} * ${t}`),
  atan: ofMath('atan', (_, x) => `1 / (1 + ${x} * ${x})`),
  asin: ofMath('asin', (_, x) => `1 / Math.sqrt((1 - ${x}) * (1 + ${x}))`),
  acos: ofMath('acos', (_, x) => `-1 / Math.sqrt((1 - ${x}) * (1 + ${x}))`),
  sinh: ofMath('sinh', (_, x) => `Math.cosh(${x})`),
  cosh: ofMath('cosh', (_, x) => `Math.sinh(${x})`),
  atan2: {
    value: (a, b) => `Math.atan2(${a}, ${b})`,
    partials: [
      (_, a, b) => `${b} / (${a} * ${a} + ${b} * ${b})`,
      (_, a, b) => `-${a} / (${a} * ${a} + ${b} * ${b})`,
    ],
  },
  hypot: {
    value: (a, b) => `Math.hypot(${a}, ${b})`,
    partials: [(t, a) => `${a} / ${t}`, (t, _, b) => `${b} / ${t}`],
  },
  fma: {
    value: (a, b, c) => `${a} * ${b} + ${c}`,
    partials: [(_, _a, b) => b, (_, a) => a, () => '1'],
  },
  fmin: extreme('fmin'),
  fmax: extreme('fmax'),
  multiply_log: multiplyLog,
  lmultiply: multiplyLog,
  log_diff_exp: {
    value: (a, b) => `log_diff_exp__rr(${a}, ${b})`,
    partials: [
      (_, a, b) => `-1 / Math.expm1(${b} - ${a})`,
      (_, a, b) => `-1 / Math.expm1(${a} - ${b})`,
    ],
    uses: ['log_diff_exp__rr'],
  },
};

/** Composed of others: see `density-forms.ts`. */
const composed = new Set(['log_sum_exp', 'log_mix']);

/** The inline form of a function of `arity` scalars. */
export function inlineFunction(name: string, arity: number): InlineFunction | null {
  if (composed.has(name)) return null;
  const table = Object.hasOwn(more, name) ? more : inlineFunctions;
  if (!Object.hasOwn(table, name)) return null;
  return table[name].partials.length === arity ? table[name] : null;
}

/** exp(−|a − b|), a number in [0, 1] from which log(exp(a) + exp(b)) and its derivatives follow. */
export const expOfDistance: InlineFunction = {
  value: (a, b) => `(${a} === ${b} ? 1 : $exp(-Math.abs(${a} - ${b})))`,
  partials: [() => '0', () => '0'],
  uses: ['$exp'],
};

/** log(exp(a) + exp(b)) from a, b and {@link expOfDistance}. */
export const logSumOfTwo: InlineFunction = {
  value: (a, b, e) => `(${a} > ${b} ? ${a} : ${b}) + $log1p_unit(${e})`,
  partials: [
    (_, a, b, e) => `(${a} > ${b} ? 1 : ${e}) / (1 + ${e})`,
    (_, a, b, e) => `(${a} > ${b} ? ${e} : 1) / (1 + ${e})`,
    () => '0',
  ],
  uses: ['$log1p_unit'],
  asLog: {
    of: (_a, _b, e) => `(1 + ${e})`,
    sign: 1,
    rest: (a, b) => `(${a} > ${b} ? ${a} : ${b})`,
  },
};

/** exp(−|x|). */
export const expOfMinusAbs: InlineFunction = {
  value: (x) => `$exp(-Math.abs(${x}))`,
  partials: [() => '0'],
  uses: ['$exp'],
};

/** log inv_logit(x) from x and exp(−|x|). */
export const logInvLogit: InlineFunction = {
  value: (x, e) => `Math.min(${x}, 0) - $log1p_unit(${e})`,
  partials: [(_, x, e) => `(${x} > 0 ? ${e} : 1) / (1 + ${e})`, () => '0'],
  uses: ['$log1p_unit'],
  asLog: { of: (_, e) => `(1 + ${e})`, sign: -1, rest: (x) => `Math.min(${x}, 0)` },
};
