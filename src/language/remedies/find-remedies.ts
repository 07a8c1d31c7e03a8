/** What can be changed in a program that samples badly: each change is checked before it is suggested. */
import type { CheckResult } from '../check.ts';
import { hasErrors } from '../diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Declaration } from '../syntax/ast.ts';
import { applyEdits, checkEdited } from './apply-edits.ts';
import { findMissingBounds } from './bounds.ts';
import { findNonCentred } from './non-centred.ts';
import { findNonCentredVectors } from './non-centred-vectors.ts';
import type { Remedy } from './remedy.ts';

/** Missing bounds first: without them nothing else helps. Empty for a program with errors. */
export function findRemedies(result: CheckResult): Remedy[] {
  if (hasErrors(result.diagnostics)) return [];
  const found = [
    ...findMissingBounds(result),
    ...findNonCentred(result),
    ...findNonCentredVectors(result),
  ];
  // One constraint per parameter: its support comes first.
  const firsts = found.filter(
    (remedy, index) => found.findIndex(({ parameter }) => parameter === remedy.parameter) === index,
  );
  return firsts.filter((remedy) => isSound(result, remedy));
}

/** The files of the program with the change applied. */
export function withRemedy(result: CheckResult, remedy: Remedy): SourceFile[] {
  return applyEdits(result.files, remedy.edits);
}

/** Whether the changed program has no errors and the declaration is as expected. */
function isSound(result: CheckResult, remedy: Remedy): boolean {
  const changed = checkEdited(result, remedy.edits);
  if (hasErrors(changed.diagnostics)) return false;
  const { parameters, transformedParameters } = changed.program;
  const isNamed = ({ name }: Declaration) => name.name === remedy.parameter;
  const declaration = parameters.find(isNamed);
  // Computed from a parameter on a standard scale, it no longer is one.
  if (declaration === undefined)
    return transformedParameters.some((one) => one.kind === 'declaration' && isNamed(one));
  const expected = remedy.kind === 'bounds' ? 'bounds' : 'offset-multiplier';
  return declaration.constraint.kind === expected;
}
