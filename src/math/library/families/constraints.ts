/**
 * What declared constraints need: transforms `$constrain_<kind>(tape | null, jacobian | null, kinds, x, ...params)`, their
 * inverses `$free_<kind>(value, ...params)` and checks `check_<kind>(name, value, ...params)`. As functions of the language
 * they are in `transforms.ts`.
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
import * as matrix from '../../transforms/matrix-constraints.ts';
import * as matrixFree from '../../transforms/matrix-frees.ts';
import * as scalar from '../../transforms/scalar-constraints.ts';
import { constrainStructured, type StructuredConstraint } from '../../transforms/structured.ts';
import * as vector from '../../transforms/vector-constraints.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

const notNan = (x: number): boolean => !Number.isNaN(x);

const elementwise: Readonly<Record<string, Constrain>> = {
  $constrain_lower: constrainElements('lower_constrain', scalar.lowerConstrain, (a) =>
    notNan(a) ? null : 'lower bound is nan',
  ),
  $constrain_upper: constrainElements('upper_constrain', scalar.upperConstrain, (a) =>
    notNan(a) ? null : 'upper bound is nan',
  ),
  $constrain_bounds: constrainElements('bounds_constrain', scalar.boundsConstrain, (a, b) =>
    a < b ? null : `lower bound ${a} must be less than upper bound ${b}`,
  ),
  $constrain_offset_multiplier: constrainElements(
    'offset_multiplier_constrain',
    scalar.offsetMultiplierConstrain,
    (a, b) => {
      if (!Number.isFinite(a)) return `offset is ${a}, but must be finite`;
      return b > 0 && b < Infinity ? null : `multiplier is ${b}, but must be positive finite`;
    },
  ),
};

const structured: readonly StructuredConstraint[] = [
  vector.ordered,
  vector.positiveOrdered,
  vector.simplex,
  vector.unitVector,
  vector.sumToZero,
  matrix.choleskyFactorCov,
  matrix.choleskyFactorCorr,
  matrix.covMatrix,
  matrix.corrMatrix,
];

const frees: LibraryPart = {
  $free_lower: freeElements('lower_free', scalar.lowerFree, (a) => `greater than or equal to ${a}`),
  $free_upper: freeElements('upper_free', scalar.upperFree, (a) => `less than or equal to ${a}`),
  $free_bounds: freeElements(
    'bounds_free',
    scalar.boundsFree,
    (a, b) => `in the interval [${a}, ${b}]`,
  ),
  $free_offset_multiplier: freeElements(
    'offset_multiplier_free',
    scalar.offsetMultiplierFree,
    () => 'not nan, with a positive multiplier',
  ),
  $free_ordered: vector.orderedFree,
  $free_positive_ordered: vector.positiveOrderedFree,
  $free_simplex: vector.simplexFree,
  $free_unit_vector: vector.unitVectorFree,
  $free_sum_to_zero: vector.sumToZeroFree,
  $free_cholesky_factor_cov: matrixFree.choleskyFactorCovFree,
  $free_cholesky_factor_corr: matrixFree.choleskyFactorCorrFree,
  $free_cov_matrix: matrixFree.covMatrixFree,
  $free_corr_matrix: matrixFree.corrMatrixFree,
};

const checks: LibraryPart = {
  check_lower: checkLower,
  check_upper: checkUpper,
  check_bounds: checkBounds,
  check_ordered: vector.checkOrdered,
  check_positive_ordered: vector.checkPositiveOrdered,
  check_simplex: vector.checkSimplex,
  check_unit_vector: vector.checkUnitVector,
  check_sum_to_zero: vector.checkSumToZero,
  check_cholesky_factor_cov: matrixFree.checkCholeskyFactorCov,
  check_cholesky_factor_corr: matrixFree.checkCholeskyFactorCorr,
  check_cov_matrix: matrixFree.checkCovMatrix,
  check_corr_matrix: matrixFree.checkCorrMatrix,
};

const constrains: Record<string, LibraryFunction> = { ...elementwise };
for (const constraint of structured) {
  const kind = constraint.name.replace(/_constrain$/, '');
  constrains[`$constrain_${kind}`] = constrainStructured(constraint);
}

export const constraintsPart: LibraryPart = { ...constrains, ...frees, ...checks };
