/** Quick fixes: for one place, and for all removed syntax together. */
import type { CheckResult } from '../check.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { checkEdited } from '../remedies/apply-edits.ts';
import type { TextEdit } from '../remedies/remedy.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import { changesFor } from './certain-changes.ts';
import type { Fix } from './fix.ts';
import { removedCodes, rewriteOf } from './removed-syntax.ts';

/** Fixes of the diagnostics that touch a range, the certain ones first. */
export function fixesAt(result: CheckResult, range: Span): readonly Fix[] {
  const here = result.diagnostics.filter(
    ({ span }) => span.file === range.file && span.start <= range.end && range.start <= span.end,
  );
  return here.flatMap((diagnostic) => {
    const certain = fixOf(result, diagnostic);
    return certain === null ? triedFixes(result, diagnostic) : [certain];
  });
}

function fixOf(result: CheckResult, diagnostic: Diagnostic): Fix | null {
  const rewritten = rewriteOf(result, diagnostic);
  if (rewritten !== null) return rewritten;
  const { fix, span } = diagnostic;
  if (fix === undefined) return null;
  const edits = [{ span: fix.span ?? span, text: fix.replacement }];
  return { title: fix.title, edits, diagnostic };
}

/** Changes after which the program has fewer errors and none of another kind. */
function triedFixes(result: CheckResult, diagnostic: Diagnostic): readonly Fix[] {
  const before = errorsOf(result);
  return changesFor(result, diagnostic).flatMap(({ title, edits }) => {
    const after = errorsOf(checkEdited(result, edits));
    const isBetter = after.length < before.length && after.every((code) => before.includes(code));
    return isBetter ? [{ title, edits, diagnostic }] : [];
  });
}

function errorsOf({ diagnostics }: CheckResult): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

/** A fix may reveal another: `f_log(f_log(…), 1)`. More rounds than this mean that one undoes another. */
const mostRounds = 50;

export interface FixedFiles {
  readonly files: readonly SourceFile[];
  /** How many fixes were applied. */
  readonly count: number;
}

/** The files without removed syntax, as far as it can be rewritten. */
export function fixRemoved(result: CheckResult): FixedFiles {
  let current = result;
  let count = 0;
  for (let round = 0; round < mostRounds; round++) {
    const edits: TextEdit[] = [];
    for (const diagnostic of current.diagnostics) {
      const fix = removedCodes.has(diagnostic.code) ? fixOf(current, diagnostic) : null;
      if (fix === null || fix.edits.some((edit) => overlapsAny(edit, edits))) continue;
      edits.push(...fix.edits);
      count++;
    }
    if (edits.length === 0) break;
    current = checkEdited(current, edits);
  }
  return { files: current.files, count };
}

function overlapsAny({ span }: TextEdit, edits: readonly TextEdit[]): boolean {
  return edits.some(
    ({ span: other }) =>
      span.file === other.file && span.start < other.end && other.start < span.end,
  );
}
