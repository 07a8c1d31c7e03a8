/** Cumulative distribution functions, operand-wise: `name_lcdf`, `name_lccdf`, `name_cdf`; `propto` is ignored. */
import {
  type CumulativeSpec,
  cumulativeFunctions,
  type Requirement,
  type Tail,
} from '../../distributions/cumulative.ts';
import {
  betaProportionTail,
  betaTail,
  cauchyTail,
  chiSquareTail,
  doubleExponentialTail,
  expModNormalTail,
  exponentialTail,
  frechetTail,
  gammaTail,
  gumbelTail,
  invChiSquareTail,
  invGammaTail,
  logisticTail,
  loglogisticTail,
  lognormalTail,
  normalTail,
  paretoTail,
  paretoType2Tail,
  rayleighTail,
  scaledInvChiSquareTail,
  skewDoubleExponentialTail,
  skewNormalTail,
  stdNormalTail,
  studentTTail,
  uniformTail,
  vonMisesTail,
  weibullTail,
} from '../../distributions/tails-continuous.ts';
import {
  bernoulliTail,
  betaBinomialTail,
  betaNegBinomialTail,
  binomialTail,
  discreteRangeTail,
  negBinomial2Tail,
  negBinomialTail,
  poissonTail,
  yuleSimonTail,
} from '../../distributions/tails-discrete.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

type Argument = readonly [string, Requirement];

const variable: Argument = ['Random variable', 'notNan'];
const positiveVariable: Argument = ['Random variable', 'nonnegative'];
const unitVariable: Argument = ['Random variable', 'probability'];
const count: Argument = ['Random variable', 'any'];
const location: Argument = ['Location parameter', 'finite'];
const scale: Argument = ['Scale parameter', 'positiveFinite'];
const shape: Argument = ['Shape parameter', 'positiveFinite'];
const secondShape: Argument = ['Second shape parameter', 'positiveFinite'];
const rate: Argument = ['Inverse scale parameter', 'positiveFinite'];
const freedom: Argument = ['Degrees of freedom parameter', 'positiveFinite'];
const precision: Argument = ['Precision parameter', 'positiveFinite'];
const probability: Argument = ['Probability parameter', 'probability'];
const trials: Argument = ['Population size parameter', 'nonnegative'];

const specs: readonly (readonly [string, readonly Argument[], Tail])[] = [
  ['normal', [variable, location, scale], normalTail],
  ['std_normal', [variable], stdNormalTail],
  ['exp_mod_normal', [variable, location, scale, rate], expModNormalTail],
  ['skew_normal', [variable, location, scale, ['Shape parameter', 'finite']], skewNormalTail],
  ['student_t', [variable, freedom, location, scale], studentTTail],
  ['cauchy', [variable, location, scale], cauchyTail],
  ['double_exponential', [variable, location, scale], doubleExponentialTail],
  [
    'skew_double_exponential',
    [variable, location, scale, ['Skewness parameter', 'probability']],
    skewDoubleExponentialTail,
  ],
  ['logistic', [variable, location, scale], logisticTail],
  ['loglogistic', [positiveVariable, scale, shape], loglogisticTail],
  ['gumbel', [variable, location, scale], gumbelTail],
  ['lognormal', [positiveVariable, location, scale], lognormalTail],
  ['chi_square', [positiveVariable, freedom], chiSquareTail],
  ['inv_chi_square', [positiveVariable, freedom], invChiSquareTail],
  ['scaled_inv_chi_square', [positiveVariable, freedom, scale], scaledInvChiSquareTail],
  ['exponential', [positiveVariable, rate], exponentialTail],
  ['gamma', [positiveVariable, shape, rate], gammaTail],
  ['inv_gamma', [positiveVariable, shape, scale], invGammaTail],
  ['weibull', [positiveVariable, shape, scale], weibullTail],
  ['frechet', [positiveVariable, shape, scale], frechetTail],
  ['rayleigh', [positiveVariable, scale], rayleighTail],
  ['pareto', [positiveVariable, scale, shape], paretoTail],
  ['pareto_type_2', [variable, location, scale, shape], paretoType2Tail],
  ['beta', [unitVariable, shape, secondShape], betaTail],
  [
    'beta_proportion',
    [unitVariable, ['Location parameter', 'probability'], precision],
    betaProportionTail,
  ],
  ['von_mises', [variable, location, ['Scale parameter', 'nonnegative']], vonMisesTail],
  ['uniform', [variable, location, location], uniformTail],
  ['bernoulli', [count, probability], bernoulliTail],
  ['binomial', [count, trials, probability], binomialTail],
  ['beta_binomial', [count, trials, shape, secondShape], betaBinomialTail],
  ['beta_neg_binomial', [count, shape, shape, secondShape], betaNegBinomialTail],
  ['discrete_range', [count, location, location], discreteRangeTail],
  ['neg_binomial', [count, shape, rate], negBinomialTail],
  [
    'neg_binomial_2',
    [count, ['Location parameter', 'positiveFinite'], precision],
    negBinomial2Tail,
  ],
  ['poisson', [count, ['Rate parameter', 'nonnegative']], poissonTail],
  ['yule_simon', [count, shape], yuleSimonTail],
];

const part: Record<string, LibraryFunction> = {};
for (const [name, args, tail] of specs) {
  const spec: CumulativeSpec = { name, arguments: args, tail };
  Object.assign(part, cumulativeFunctions(spec));
}

export const cumulativePart: LibraryPart = part;
