/** Functions that fused kernels write inline: the text of the value and of the partial derivatives. */

export interface InlineFunction {
  /** Texts of the operands → text of the value. */
  readonly value: (...x: string[]) => string;
  /** Texts of the value and the operands → text of d value / d operand, one for each operand. */
  readonly partials: readonly ((value: string, ...x: string[]) => string)[];
  /** Data functions of the library that the texts call. */
  readonly uses?: readonly string[];
  /** The value as `rest` ± log(`of`); `rest` is 0 if there is none. */
  readonly asLog?: {
    readonly of: (...x: string[]) => string;
    readonly sign: 1 | -1;
    readonly rest?: (...x: string[]) => string;
  };
}

const math = (name: string, partial: (t: string, x: string) => string): InlineFunction => ({
  value: (x) => `Math.${name}(${x})`,
  partials: [partial],
});

const library = (name: string, partial: (t: string, x: string) => string): InlineFunction => ({
  value: (x) => `${name}__r(${x})`,
  partials: [partial],
  uses: [`${name}__r`],
});

const product: InlineFunction = {
  value: (a, b) => `${a} * ${b}`,
  partials: [(_t, _a, b) => b, (_t, a) => a],
};

const quotient: InlineFunction = {
  value: (a, b) => `${a} / ${b}`,
  partials: [(_t, _a, b) => `1 / ${b}`, (t, _a, b) => `-${t} / ${b}`],
};

/** Derivatives of Stan's functions of reals, as in the functions reference. */
export const inlineFunctions: Readonly<Record<string, InlineFunction>> = {
  add: { value: (a, b) => `${a} + ${b}`, partials: [() => '1', () => '1'] },
  subtract: { value: (a, b) => `${a} - ${b}`, partials: [() => '1', () => '-1'] },
  multiply: product,
  elt_multiply: product,
  divide: quotient,
  elt_divide: quotient,
  minus: { value: (a) => `-${a}`, partials: [() => '-1'] },
  square: { value: (x) => `${x} * ${x}`, partials: [(_, x) => `2 * ${x}`] },
  inv: { value: (x) => `1 / ${x}`, partials: [(t) => `-${t} * ${t}`] },
  pow: {
    value: (x, y) => `pow__rr(${x}, ${y})`,
    partials: [
      (_, x, y) => `(${y} === 0 ? 0 : ${y} * pow__rr(${x}, ${y} - 1))`,
      (t, x) => `(${x} === 0 ? 0 : ${t} * Math.log(${x}))`,
    ],
    uses: ['pow__rr'],
  },
  sqrt: math('sqrt', (t) => `0.5 / ${t}`),
  exp: math('exp', (t) => t),
  log: { ...math('log', (_, x) => `1 / ${x}`), asLog: { of: (x) => x, sign: 1 } },
  log1p: {
    ...math('log1p', (_, x) => `1 / (1 + ${x})`),
    asLog: { of: (x) => `(1 + ${x})`, sign: 1 },
  },
  expm1: math('expm1', (t) => `${t} + 1`),
  sin: math('sin', (_, x) => `Math.cos(${x})`),
  cos: math('cos', (_, x) => `-Math.sin(${x})`),
  tanh: math('tanh', (t) => `1 - ${t} * ${t}`),
  log_sum_exp: {
    value: (x, y) => `log_sum_exp__rr(${x}, ${y})`,
    partials: [
      (_, x, y) => `1 / (1 + Math.exp(${y} - ${x}))`,
      (_, x, y) => `1 / (1 + Math.exp(${x} - ${y}))`,
    ],
    uses: ['log_sum_exp__rr'],
  },
  log_mix: {
    value: (p, x, y) => `log_mix__rrr(${p}, ${x}, ${y})`,
    partials: [
      (t, _p, x, y) => `(Math.exp(${x} - ${t}) - Math.exp(${y} - ${t}))`,
      (t, p, x) => `${p} * Math.exp(${x} - ${t})`,
      (t, p, _x, y) => `(1 - ${p}) * Math.exp(${y} - ${t})`,
    ],
    uses: ['log_mix__rrr'],
  },
  inv_logit: library('inv_logit', (t, x) => `${t} * inv_logit__r(-${x})`),
};

/** Powers with a literal exponent, without the general power. */
export const literalPowers: Readonly<Record<number, InlineFunction>> = {
  2: inlineFunctions.square,
  3: {
    value: (x) => `${x} * ${x} * ${x}`,
    partials: [(_, x) => `3 * ${x} * ${x}`],
  },
  0.5: inlineFunctions.sqrt,
  [-1]: inlineFunctions.inv,
};
