/** Cumulative distribution functions, operand-wise: `name_lcdf`, `name_lccdf`, `name_cdf`; `propto` is ignored. */
import {
  type Argument,
  finiteShape,
  freedom,
  inverseScale,
  location,
  nonnegativeScale,
  nonnegativeVariable,
  numberVariable,
  populationSize,
  positiveLocation,
  precision,
  probability,
  rate,
  scale,
  secondShape,
  shape,
  skewness,
  unit,
  unitVariable,
  variable,
} from '../../distributions/arguments.ts';
import { cumulativeFunctions, type Tail } from '../../distributions/cumulative.ts';
import * as continuous from '../../distributions/tails-continuous.ts';
import * as discrete from '../../distributions/tails-discrete.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

const specs: readonly (readonly [string, readonly Argument[], Tail])[] = [
  ['normal', [numberVariable, location, scale], continuous.normalTail],
  ['std_normal', [numberVariable], continuous.stdNormalTail],
  ['exp_mod_normal', [numberVariable, location, scale, inverseScale], continuous.expModNormalTail],
  ['skew_normal', [numberVariable, location, scale, finiteShape], continuous.skewNormalTail],
  ['student_t', [numberVariable, freedom, location, scale], continuous.studentTTail],
  ['cauchy', [numberVariable, location, scale], continuous.cauchyTail],
  ['double_exponential', [numberVariable, location, scale], continuous.doubleExponentialTail],
  [
    'skew_double_exponential',
    [numberVariable, location, scale, skewness],
    continuous.skewDoubleExponentialTail,
  ],
  ['logistic', [numberVariable, location, scale], continuous.logisticTail],
  ['loglogistic', [nonnegativeVariable, scale, shape], continuous.loglogisticTail],
  ['gumbel', [numberVariable, location, scale], continuous.gumbelTail],
  ['lognormal', [nonnegativeVariable, location, scale], continuous.lognormalTail],
  ['chi_square', [nonnegativeVariable, freedom], continuous.chiSquareTail],
  ['inv_chi_square', [nonnegativeVariable, freedom], continuous.invChiSquareTail],
  [
    'scaled_inv_chi_square',
    [nonnegativeVariable, freedom, scale],
    continuous.scaledInvChiSquareTail,
  ],
  ['exponential', [nonnegativeVariable, inverseScale], continuous.exponentialTail],
  ['gamma', [nonnegativeVariable, shape, inverseScale], continuous.gammaTail],
  ['inv_gamma', [nonnegativeVariable, shape, scale], continuous.invGammaTail],
  ['weibull', [nonnegativeVariable, shape, scale], continuous.weibullTail],
  ['frechet', [nonnegativeVariable, shape, scale], continuous.frechetTail],
  ['rayleigh', [nonnegativeVariable, scale], continuous.rayleighTail],
  ['pareto', [nonnegativeVariable, scale, shape], continuous.paretoTail],
  ['pareto_type_2', [numberVariable, location, scale, shape], continuous.paretoType2Tail],
  ['beta', [unitVariable, shape, secondShape], continuous.betaTail],
  [
    'beta_proportion',
    [unitVariable, ['Location parameter', unit], precision],
    continuous.betaProportionTail,
  ],
  ['von_mises', [numberVariable, location, nonnegativeScale], continuous.vonMisesTail],
  ['uniform', [numberVariable, location, location], continuous.uniformTail],
  ['bernoulli', [variable, probability], discrete.bernoulliTail],
  ['binomial', [variable, populationSize, probability], discrete.binomialTail],
  ['beta_binomial', [variable, populationSize, shape, secondShape], discrete.betaBinomialTail],
  ['beta_neg_binomial', [variable, shape, shape, secondShape], discrete.betaNegBinomialTail],
  ['discrete_range', [variable, location, location], discrete.discreteRangeTail],
  ['neg_binomial', [variable, shape, inverseScale], discrete.negBinomialTail],
  ['neg_binomial_2', [variable, positiveLocation, precision], discrete.negBinomial2Tail],
  ['poisson', [variable, rate], discrete.poissonTail],
  ['yule_simon', [variable, shape], discrete.yuleSimonTail],
];

const part: Record<string, LibraryFunction> = {};
for (const [name, args, tail] of specs) {
  Object.assign(part, cumulativeFunctions({ name, arguments: args, tail }));
}

export const cumulativePart: LibraryPart = part;
