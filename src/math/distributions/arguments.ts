/** The arguments of densities and tails: how messages name each, and what it must be. */
import type { Operand } from '../autodiff/operand.ts';
import type { DensityCall } from './density.ts';

/** Throws if an element of `x` is outside the support. */
export type Check = (call: DensityCall, x: Operand) => void;

/** The label of an argument, and its check; null if any number will do or the kernel checks it. */
export type Argument = readonly [string, Check | null];

export const notNan: Check = (call, x) => call.checkNotNan(x);
export const finite: Check = (call, x) => call.checkFinite(x);
const positive: Check = (call, x) => call.checkPositive(x);
export const positiveFinite: Check = (call, x) => call.checkPositiveFinite(x);
const nonnegative: Check = (call, x) => call.checkNonnegative(x);
export const unit: Check = (call, x) => call.checkBounded(x, 0, 1);
export const nonnegativeFinite: Check = (call, x) => {
  call.checkNonnegative(x);
  call.checkFinite(x);
};

const variableLabel = 'Random variable';

export const variable: Argument = [variableLabel, null];
export const numberVariable: Argument = [variableLabel, notNan];
export const finiteVariable: Argument = [variableLabel, finite];
export const nonnegativeVariable: Argument = [variableLabel, nonnegative];
export const positiveVariable: Argument = [variableLabel, positive];
export const unitVariable: Argument = [variableLabel, unit];
export const failures: Argument = ['Failures variable', nonnegative];

export const location: Argument = ['Location parameter', finite];
export const positiveLocation: Argument = ['Location parameter', positiveFinite];
export const scale: Argument = ['Scale parameter', positiveFinite];
export const positiveScale: Argument = ['Scale parameter', positive];
export const nonnegativeScale: Argument = ['Scale parameter', nonnegativeFinite];
export const inverseScale: Argument = ['Inverse scale parameter', positiveFinite];
export const shape: Argument = ['Shape parameter', positiveFinite];
export const finiteShape: Argument = ['Shape parameter', finite];
export const secondShape: Argument = ['Second shape parameter', positiveFinite];
export const freedom: Argument = ['Degrees of freedom parameter', positiveFinite];
export const precision: Argument = ['Precision parameter', positiveFinite];
export const skewness: Argument = ['Skewness parameter', unit];
export const probability: Argument = ['Probability parameter', unit];
export const rate: Argument = ['Rate parameter', nonnegative];
export const populationSize: Argument = ['Population size parameter', nonnegative];
