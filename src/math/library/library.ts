/** Every function of the Stan language that emitted programs may link, by key (see machinery/implementation.ts). */

import { algebraicPart } from './families/algebraic.ts';
import { arithmeticPart } from './families/arithmetic.ts';
import { binaryPart } from './families/binary.ts';
import { comparisonPart } from './families/comparison.ts';
import { complexMatricesPart } from './families/complex-matrices.ts';
import { constraintsPart } from './families/constraints.ts';
import { containerArithmeticPart } from './families/container-arithmetic.ts';
import { conversionPart } from './families/conversion.ts';
import { cumulativePart } from './families/cumulative.ts';
import { daePart } from './families/dae.ts';
import { decompositionsPart } from './families/decompositions.ts';
import { densitiesPart } from './families/densities.ts';
import { diagonalsPart } from './families/diagonals.ts';
import { elementwisePart } from './families/elementwise.ts';
import { gaussianDlmPart } from './families/gaussian-dlm.ts';
import { covariancePart } from './families/gp-covariance.ts';
import { hiddenMarkovPart } from './families/hidden-markov.ts';
import { integralsPart } from './families/integrals.ts';
import { laplacePart } from './families/laplace.ts';
import { linearAlgebraPart } from './families/linear-algebra.ts';
import { mapRectPart } from './families/map-rect.ts';
import { mixedFunctionsPart } from './families/mixed-functions.ts';
import { randomPart } from './families/random-scalar.ts';
import { randomStructuredPart } from './families/random-structured.ts';
import { reductionsPart } from './families/reductions.ts';
import { solversPart } from './families/solvers.ts';
import { sparsePart } from './families/sparse.ts';
import { specialFunctionsPart } from './families/special-functions.ts';
import { structurePart } from './families/structure.ts';
import { transformsPart } from './families/transforms.ts';
import { vectorFunctionsPart } from './families/vector-functions.ts';
import type { LibraryPart } from './machinery/implementation.ts';
import { indexingPart } from './machinery/indexing.ts';
import { memoryPart } from './machinery/memory.ts';
import { assignmentPart } from './program/assignment.ts';
import { declaredValuesPart } from './program/declared-values.ts';
import { multiNormalPart } from './program/multi-normal.ts';
import { outcomePart } from './program/outcomes.ts';
import { regionPart } from './program/region.ts';
import { reportPart } from './program/report.ts';
import { stridedMatrixPart } from './program/strided-matrices.ts';
import { targetPart } from './program/target.ts';
import { wholeContainerPart } from './program/whole-containers.ts';

/** The parts by name. No key may be in two of them; a test checks this. */
export const libraryParts: Readonly<Record<string, LibraryPart>> = {
  elementwise: elementwisePart,
  binary: binaryPart,
  specialFunctions: specialFunctionsPart,
  reductions: reductionsPart,
  vectorFunctions: vectorFunctionsPart,
  linearAlgebra: linearAlgebraPart,
  decompositions: decompositionsPart,
  complexMatrices: complexMatricesPart,
  diagonals: diagonalsPart,
  covariance: covariancePart,
  densities: densitiesPart,
  gaussianDlm: gaussianDlmPart,
  cumulative: cumulativePart,
  random: randomPart,
  randomStructured: randomStructuredPart,
  constraints: constraintsPart,
  transforms: transformsPart,
  mixedFunctions: mixedFunctionsPart,
  solvers: solversPart,
  dae: daePart,
  algebraic: algebraicPart,
  integrals: integralsPart,
  mapRect: mapRectPart,
  laplace: laplacePart,
  sparse: sparsePart,
  hiddenMarkov: hiddenMarkovPart,
  arithmetic: arithmeticPart,
  containerArithmetic: containerArithmeticPart,
  comparison: comparisonPart,
  structure: structurePart,
  conversion: conversionPart,
  indexing: indexingPart,
  assignment: assignmentPart,
  memory: memoryPart,
  outcomes: outcomePart,
  multiNormal: multiNormalPart,
  wholeContainers: wholeContainerPart,
  stridedMatrices: stridedMatrixPart,
  region: regionPart,
  target: targetPart,
  report: reportPart,
  declaredValues: declaredValuesPart,
};

export const library: LibraryPart = Object.freeze(
  Object.assign({}, ...Object.values(libraryParts)),
);
