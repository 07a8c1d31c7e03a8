/** Stricter checks, as Stan's pedantic mode makes them: hints about what is legal but often a mistake. */
import type { CheckResult } from '../check.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../diagnostics.ts';
import { checkAssignments } from './assignments.ts';
import { Dependencies } from './dependencies.ts';
import { checkDensities } from './distributions.ts';
import { checkPriors } from './factors.ts';
import { checkControlFlow, checkVariates } from './statements.ts';
import { densityStatements } from './terms.ts';

/** Seldom wrong, so shown unless switched off; the others also report what is right in many programs. */
const usual: ReadonlySet<string> = new Set([
  'stan/bounds-missing',
  'stan/out-of-support',
  'stan/empty-constraint',
  'stan/vague-gamma',
]);

/** Hints by place; none for a program with errors. `all`: also those that are often false alarms. */
export function pedanticWarnings(result: CheckResult, all: boolean): readonly Diagnostic[] {
  const { program, diagnostics } = result;
  if (hasErrors(diagnostics)) return [];
  const dependencies = new Dependencies(densityStatements(program));
  const found = [
    ...checkAssignments(program),
    ...checkDensities(program),
    ...checkPriors(program, dependencies),
    ...checkVariates(program, dependencies),
    ...checkControlFlow(program, dependencies),
  ];
  const isNew = ({ span, code }: Diagnostic): boolean =>
    !(
      code === 'stan/may-be-unassigned' &&
      diagnostics.some(
        (one) => one.code === 'stan/declared-by-itself' && one.span.start === span.start,
      )
    );
  return sortDiagnostics(found.filter((one) => (all || usual.has(one.code)) && isNew(one)));
}
