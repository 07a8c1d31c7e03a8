/**
 * Densities of scalars that fused kernels write inline: in loops over observations, a call of the vectorised density
 * would cost many times its arithmetic. Values outside the domain go to the library, which reports what is wrong.
 */
import type { InlineFunction } from './derivatives.ts';

export interface InlineDensity {
  /** Number of operands. */
  readonly arity: number;
  /** Text of the condition under which the inline form holds. */
  readonly holds: (...x: string[]) => string;
  /** The log density of `x`; `drop` is the text of whether terms without active operands are dropped. */
  readonly term: (isActive: readonly boolean[], drop: string) => DensityTerm;
}

/** Normal densities work on the standardised variate, which takes two operations of its own. */
export interface DensityTerm {
  readonly standardised: boolean;
  readonly inline: InlineFunction;
}

const halfLogTwoPi = '0.9189385332046728';
const isFinite = (x: string) => `Math.abs(${x}) < Infinity`;

/** `kept` unless dropped. */
const constant = (drop: string, kept: string) =>
  drop === 'false' ? ` - ${kept}` : ` - (${drop} ? 0 : ${kept})`;

/** −z²/2 − log s of z = (y − m)/s and s: with the chain rule through z, ∂/∂s of the rest is −1/s. */
const normal: InlineDensity = {
  arity: 3,
  holds: (y, m, s) => `${y} === ${y} && ${isFinite(m)} && ${s} > 0`,
  term: ([, , scaleIsActive], drop) => ({
    standardised: true,
    inline: {
      value: (z, s) => {
        const kernel = `-0.5 * ${z} * ${z}`;
        const scale = `Math.log(${s})`;
        if (scaleIsActive) return `${kernel} - ${scale}${constant(drop, halfLogTwoPi)}`;
        return `${kernel}${constant(drop, `(${scale} + ${halfLogTwoPi})`)}`;
      },
      partials: [(_, z) => `-${z}`, (_t, _z, s) => `-1 / ${s}`],
    },
  }),
};

/** log inv_logit(x) when y is 1, log inv_logit(−x) when it is 0. */
const bernoulliLogit: InlineDensity = {
  arity: 2,
  holds: (y, x) => `(${y} === 0 || ${y} === 1) && ${isFinite(x)}`,
  term: () => ({
    standardised: false,
    inline: {
      value: (y, x) => `-log1p_exp__r(${y} === 1 ? -${x} : ${x})`,
      partials: [() => '0', (_, y, x) => `${y} - inv_logit__r(${x})`],
      uses: ['log1p_exp__r', 'inv_logit__r'],
    },
  }),
};

const bernoulli: InlineDensity = {
  arity: 2,
  holds: (y, p) => `(${y} === 0 || ${y} === 1) && ${p} >= 0 && ${p} <= 1`,
  term: () => ({
    standardised: false,
    inline: {
      value: (y, p) => `(${y} === 1 ? Math.log(${p}) : Math.log1p(-${p}))`,
      partials: [() => '0', (_, y, p) => `(${y} === 1 ? 1 / ${p} : 1 / (${p} - 1))`],
    },
  }),
};

export const inlineDensities: Readonly<Record<string, InlineDensity>> = {
  normal_lpdf: normal,
  bernoulli_logit_lpmf: bernoulliLogit,
  bernoulli_lpmf: bernoulli,
};
