/** Every function of the Stan language that emitted programs may link, by key (see implementation.ts). */
import { arithmeticPart } from './arithmetic.ts';
import { assignmentPart } from './assignment.ts';
import { binaryPart } from './binary.ts';
import { comparisonPart } from './comparison.ts';
import { constraintsGluePart } from './constraints-glue.ts';
import { containerArithmeticPart } from './containers-arithmetic.ts';
import { conversionPart } from './containers-conversion.ts';
import { memoryPart } from './containers-memory.ts';
import { reportPart } from './containers-report.ts';
import { targetPart } from './containers-target.ts';
import { covariancePart } from './covariance.ts';
import { cumulativePart } from './cumulative.ts';
import { decompositionsPart } from './decompositions.ts';
import { densitiesPart } from './densities.ts';
import { diagonalsPart } from './diagonals.ts';
import { elementwisePart } from './elementwise.ts';
import { hiddenMarkovPart } from './hidden-markov.ts';
import type { LibraryPart } from './implementation.ts';
import { indexingPart } from './indexing.ts';
import { linearAlgebraPart } from './linear-algebra.ts';
import { randomPart } from './random.ts';
import { randomStructuredPart } from './random-structured.ts';
import { reductionsPart } from './reductions.ts';
import { solversPart } from './solvers.ts';
import { sparsePart } from './sparse.ts';
import { specialFunctionsPart } from './special-functions.ts';
import { structurePart } from './structure.ts';
import { transformsPart } from './transforms.ts';
import { vectorFunctionsPart } from './vector-functions.ts';

/** The parts by name; no key may be in two of them, which a test checks. */
export const libraryParts: Readonly<Record<string, LibraryPart>> = {
  elementwise: elementwisePart,
  binary: binaryPart,
  specialFunctions: specialFunctionsPart,
  reductions: reductionsPart,
  vectorFunctions: vectorFunctionsPart,
  linearAlgebra: linearAlgebraPart,
  decompositions: decompositionsPart,
  diagonals: diagonalsPart,
  covariance: covariancePart,
  densities: densitiesPart,
  cumulative: cumulativePart,
  random: randomPart,
  randomStructured: randomStructuredPart,
  transforms: transformsPart,
  solvers: solversPart,
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
  target: targetPart,
  report: reportPart,
  constraintsGlue: constraintsGluePart,
};

export const library: LibraryPart = Object.freeze(
  Object.assign({}, ...Object.values(libraryParts)),
);
