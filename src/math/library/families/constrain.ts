/**
 * Constraining transforms `<kind>_constrain(tape | null, jacobian | null, kinds, x, ...params)`, their inverses
 * `<kind>_free(value, ...params)` and checks `check_<kind>(name, value, ...params)`.
 *
 * `x` is the free value. Element by element (`lower upper bounds offset_multiplier`): a scalar, vector or matrix
 * (kinds r v R V M W), the result in the same container; parameters scalar or of the same size, data or active.
 * Structured: a vector (R or V) and the sizes of the declaration as ints (`ii` rows and columns for
 * `cholesky_factor_cov`); the result is a vector or matrix. With a tape, log |Jacobian| goes to `jacobian` unless null.
 */

import { checkBounds, checkLower, checkUpper } from '../../transforms/bound-checks.ts';
import {
  type Constrain,
  constrainElements,
  freeElements,
} from '../../transforms/constrain-elements.ts';
import {
  choleskyFactorCorr,
  choleskyFactorCov,
  corrMatrix,
  covMatrix,
} from '../../transforms/matrix-constraints.ts';
import {
  checkCholeskyFactorCorr,
  checkCholeskyFactorCov,
  checkCorrMatrix,
  checkCovMatrix,
  choleskyFactorCorrFree,
  choleskyFactorCovFree,
  corrMatrixFree,
  covMatrixFree,
} from '../../transforms/matrix-frees.ts';
import {
  boundsConstrain,
  boundsFree,
  lowerConstrain,
  lowerFree,
  offsetMultiplierConstrain,
  offsetMultiplierFree,
  upperConstrain,
  upperFree,
} from '../../transforms/scalar-constraints.ts';
import { constrainStructured, type StructuredConstraint } from '../../transforms/structured.ts';
import {
  checkOrdered,
  checkPositiveOrdered,
  checkSimplex,
  checkSumToZero,
  checkUnitVector,
  ordered,
  orderedFree,
  positiveOrdered,
  positiveOrderedFree,
  simplex,
  simplexFree,
  sumToZero,
  sumToZeroFree,
  unitVector,
  unitVectorFree,
} from '../../transforms/vector-constraints.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

const notNan = (x: number): boolean => !Number.isNaN(x);

const elementwise: Readonly<Record<string, Constrain>> = {
  lower_constrain: constrainElements('lower_constrain', lowerConstrain, (a) =>
    notNan(a) ? null : 'lower bound is nan',
  ),
  upper_constrain: constrainElements('upper_constrain', upperConstrain, (a) =>
    notNan(a) ? null : 'upper bound is nan',
  ),
  bounds_constrain: constrainElements('bounds_constrain', boundsConstrain, (a, b) =>
    a < b ? null : `lower bound ${a} must be less than upper bound ${b}`,
  ),
  offset_multiplier_constrain: constrainElements(
    'offset_multiplier_constrain',
    offsetMultiplierConstrain,
    (a, b) => {
      if (!Number.isFinite(a)) return `offset is ${a}, but must be finite`;
      return b > 0 && b < Infinity ? null : `multiplier is ${b}, but must be positive finite`;
    },
  ),
};

const structured: readonly StructuredConstraint[] = [
  ordered,
  positiveOrdered,
  simplex,
  unitVector,
  sumToZero,
  choleskyFactorCov,
  choleskyFactorCorr,
  covMatrix,
  corrMatrix,
];

const frees: LibraryPart = {
  lower_free: freeElements('lower_free', lowerFree, (a) => `greater than or equal to ${a}`),
  upper_free: freeElements('upper_free', upperFree, (a) => `less than or equal to ${a}`),
  bounds_free: freeElements('bounds_free', boundsFree, (a, b) => `in the interval [${a}, ${b}]`),
  offset_multiplier_free: freeElements(
    'offset_multiplier_free',
    offsetMultiplierFree,
    () => 'not nan, with a positive multiplier',
  ),
  ordered_free: orderedFree,
  positive_ordered_free: positiveOrderedFree,
  simplex_free: simplexFree,
  unit_vector_free: unitVectorFree,
  sum_to_zero_free: sumToZeroFree,
  cholesky_factor_cov_free: choleskyFactorCovFree,
  cholesky_factor_corr_free: choleskyFactorCorrFree,
  cov_matrix_free: covMatrixFree,
  corr_matrix_free: corrMatrixFree,
};

const checks: LibraryPart = {
  check_lower: checkLower,
  check_upper: checkUpper,
  check_bounds: checkBounds,
  check_ordered: checkOrdered,
  check_positive_ordered: checkPositiveOrdered,
  check_simplex: checkSimplex,
  check_unit_vector: checkUnitVector,
  check_sum_to_zero: checkSumToZero,
  check_cholesky_factor_cov: checkCholeskyFactorCov,
  check_cholesky_factor_corr: checkCholeskyFactorCorr,
  check_cov_matrix: checkCovMatrix,
  check_corr_matrix: checkCorrMatrix,
};

const constrains: Record<string, LibraryFunction> = { ...elementwise };
for (const constraint of structured) constrains[constraint.name] = constrainStructured(constraint);

export const transformsPart: LibraryPart = { ...constrains, ...frees, ...checks };
